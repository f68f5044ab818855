// Imported before the clock of a Worker is replaced.
const realNow = Date.now;

/** Lets the alarms of a Durable Object go off after their delay. By a clock that is set, they would never go off, or at once. */
export function delayAlarms(state) {
  const { storage } = state;
  const setAlarm = storage.setAlarm.bind(storage);
  storage.setAlarm = (at) => setAlarm(realNow() + Math.max(0, at - Date.now()));
  return state;
}
