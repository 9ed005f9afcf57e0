// Hears nothing any more, not even a signal that asks it to end.
process.on('SIGTERM', () => undefined);
process.send({ begins: `stuck (pid ${process.pid})` }, () => {
  for (;;);
});
