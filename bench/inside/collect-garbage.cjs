// Preloaded into a process that is measured: on SIGUSR2 it collects its garbage and writes what memory is left to
// BENCH_INSIDE_DIR/<pid>.json. Without that, what a session holds would drown in what waits to be collected.
const { renameSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const v8 = require('node:v8');
const vm = require('node:vm');
const { isMainThread } = require('node:worker_threads');

if (isMainThread) {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc');
  process.on('SIGUSR2', () => {
    collect();
    collect(); // What finalizers let go of in the first.
    const file = path.join(process.env.BENCH_INSIDE_DIR, `${process.pid}.json`);
    writeFileSync(`${file}.part`, JSON.stringify(process.memoryUsage()));
    renameSync(`${file}.part`, file);
  });
}
