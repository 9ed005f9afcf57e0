// Required before a program: tells its parent at the end which packages were read from node_modules.
const Module = require('node:module');

const packages = new Set();
const load = Module.prototype.load;
Module.prototype.load = function (file) {
  const below = file.split(/[\\/]node_modules[\\/]/).at(-1);
  if (below !== file) packages.add(below.split(/[\\/]/, below.startsWith('@') ? 2 : 1).join('/'));
  return load.call(this, file);
};
process.on('exit', () => process.send?.([...packages].sort()));
