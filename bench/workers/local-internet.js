// The internet of the service: the first part of the path is the port of a server on this machine. What it sends arrives in pieces,
// between which the runtime answers others, as from the internet.

export default {
  fetch(request) {
    const [, port, ...path] = new URL(request.url).pathname.split("/");
    return fetch(`http://127.0.0.1:${port}/${path.join("/")}`);
  },
};
