import { laneRights, type LaneService, namesSubject } from './lane-rights';
import { type NatsGrant, serviceGrant, workerGrant } from './nats-permissions';

function grantOf(service: LaneService): NatsGrant {
  return service === 'tool-worker'
    ? workerGrant({ user: 'worker', pools: ['default'] })
    : serviceGrant(service);
}

describe('what a service may do on a lane', () => {
  it.each(Object.keys(laneRights) as LaneService[])('NATS lets a %s do, too', (service) => {
    const { publish, subscribe } = grantOf(service);

    expect(publish).toEqual(expect.arrayContaining([...laneRights[service].asks]));
    expect(subscribe).toEqual(expect.arrayContaining([...laneRights[service].answers]));
  });

  it.each([
    ['work.runner-1', true],
    ['work.', false],
    ['work', false],
    ['work.a.b', false],
    ['rpc.session.append', false],
  ])('is told by its subject: %s', (subject, isNamed) => {
    expect(namesSubject(['work.*', 'rpc.session.submit'], subject)).toBe(isNamed);
  });
});
