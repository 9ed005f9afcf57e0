import { serviceGrant } from '@skein/contracts';
import { laneOffers } from './lane-offers';

describe('what is offered on lanes', () => {
  it.each(laneOffers)('to a $service is what NATS lets it ask', ({ service, subjects }) => {
    expect(serviceGrant(service).publish).toEqual(expect.arrayContaining([...subjects]));
  });
});
