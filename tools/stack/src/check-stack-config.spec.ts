import os from 'node:os';
import { checkStackConfig } from './check-stack-config';

const agents = { AGENTS_DIR: os.tmpdir() };

describe('checkStackConfig', () => {
  it('names an address that is none of this machine and a NATS server that does not run, with the rest', async () => {
    // 192.0.2.1 is set aside for documentation: no machine has it, and nobody is asked for it.
    const env = { ...agents, HOST: '192.0.2.1', NATS_SERVER_BIN: '/nowhere/nats-server', RUNNERS: 'two' };

    const problems: unknown = await checkStackConfig([], env).catch((error: unknown) => error);

    expect(problems).toMatchObject({
      problems: [
        { name: 'HOST', reason: '192.0.2.1 is no address of this machine (EADDRNOTAVAIL)' },
        { name: 'NATS_SERVER_BIN', reason: expect.stringContaining('/nowhere/nats-server does not run') },
        { name: 'RUNNERS', reason: 'must be a whole number from 1 to 64' },
      ],
    });
  });

  it('names a host name nobody knows', async () => {
    // An empty label makes it a name no resolver can know.
    const env = { ...agents, HOST: 'no..such.host' };

    await expect(checkStackConfig([], env)).rejects.toThrow(
      'HOST: no..such.host is no address of this machine',
    );
  });

  it('lets a usable configuration pass', async () => {
    await expect(checkStackConfig([], { ...agents, HOST: 'localhost' })).resolves.toMatchObject({
      host: 'localhost',
    });
  });
});
