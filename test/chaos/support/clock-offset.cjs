/**
 * Moves this process' wall clock, for the chaos tests: loaded with `NODE_OPTIONS=--require`, by CLOCK_OFFSET_MS from the
 * start, and later by `{ type: 'clock', offsetMs }` over IPC. The monotonic clock and timers stay as they are, as they
 * do when an operator or NTP sets a machine's clock.
 */
const RealDate = Date;
let offsetMs = Number(process.env.CLOCK_OFFSET_MS ?? 0);

class ShiftedDate extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + offsetMs);
    else super(...args);
  }

  /** Also those that were made before, or inside Node. */
  static [Symbol.hasInstance](value) {
    return value instanceof RealDate;
  }

  static now() {
    return RealDate.now() + offsetMs;
  }
}

// Date() without new is a text.
globalThis.Date = new Proxy(ShiftedDate, {
  apply: () => new ShiftedDate().toString(),
});

process.on('message', (message) => {
  if (message?.type === 'clock') offsetMs = message.offsetMs;
});
// Listening must not keep the process alive.
process.channel?.unref();
