/**
 * The only container of a fleet that publishes ports: it hands connections on to the others by their names. So nothing that
 * is done to them, neither a restart nor a network they are taken out of, moves an address the tests know.
 */
import { connect, createServer } from 'node:net';

const doors = JSON.parse(process.env.DOORS);
process.on('SIGTERM', () => process.exit());

for (const { port, host, to } of doors) {
  await new Promise((resolve) =>
    createServer((client) => handOn(client, connect(to, host))).listen(port, resolve),
  );
}
console.log('every door is open');

function handOn(client, server) {
  client.on('error', () => server.destroy());
  server.on('error', () => client.destroy());
  client.pipe(server).pipe(client);
}
