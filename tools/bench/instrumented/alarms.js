/** The alarms that are set, by the ids of their objects. */
const alarms = new Map();

/** Keeps the alarms of a Durable Object, for {@link takeAlarm}. By a clock that is put forward, the runtime's go off too late. */
export function keepAlarms(state, namespace) {
  const { id, storage } = state;
  const keep = (name, change) => {
    const real = storage[name].bind(storage);
    storage[name] = (...values) => {
      change(...values);
      return real(...values);
    };
  };
  keep("setAlarm", (time) => alarms.set(id.toString(), { at: Number(time), id, namespace }));
  keep("deleteAlarm", () => alarms.delete(id.toString()));
  keep("deleteAll", () => alarms.delete(id.toString()));
  return state;
}

/** Takes the first alarm that goes off at `until` or earlier: when, and how to run it. Undefined: there is none. */
export function takeAlarm(until) {
  const [first] = [...alarms.values()].sort((a, b) => a.at - b.at);
  if (first === undefined || first.at > until) return undefined;
  const { at, id, namespace } = first;
  alarms.delete(id.toString());
  return { at, run: () => namespace.get(id).runAlarm() };
}
