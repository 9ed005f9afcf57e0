// Preloaded into a process that is measured: on SIGUSR2 it begins a profile of its processor time, on the next it ends it
// and writes it to BENCH_INSIDE_DIR/<pid>.json.
const { renameSync, writeFileSync } = require('node:fs');
const { Session } = require('node:inspector');
const path = require('node:path');
const { isMainThread } = require('node:worker_threads');

if (isMainThread) {
  const session = new Session();
  session.connect();
  let isOn = false;
  process.on('SIGUSR2', () => {
    isOn = !isOn;
    if (isOn) {
      session.post('Profiler.enable');
      session.post('Profiler.setSamplingInterval', { interval: 500 });
      session.post('Profiler.start');
      return;
    }
    session.post('Profiler.stop', (error, result) => {
      if (error) throw new Error(`no profile: ${error.message}`);
      const file = path.join(process.env.BENCH_INSIDE_DIR, `${process.pid}.json`);
      writeFileSync(`${file}.part`, JSON.stringify(result.profile));
      renameSync(`${file}.part`, file);
    });
  });
}
