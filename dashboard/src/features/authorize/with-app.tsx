/** A text with the name of an app, whose own direction of writing does not change that of the text. */
export function WithApp({ text, name }: { text: (app: string) => string; name: string }) {
  const [before, after] = text(MARK).split(MARK);
  return (
    <>
      {before}
      <bdi dir="auto">{name}</bdi>
      {after}
    </>
  );
}

const MARK = "\0";
