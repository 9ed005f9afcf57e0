import { getMaxListeners } from 'node:events';
import { aHandover } from '../../test/builders';
import { ActiveRun } from './active-run';

it('has any number of calls wait for its end, and Node takes them for no leak', () => {
  const run = new ActiveRun(aHandover());

  expect([run.signal, run.stopSignal].map((signal) => getMaxListeners(signal))).toEqual([Infinity, Infinity]);
});
