import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { aPlugin } from '@skein/testing';
import { type Warning, WARNINGS } from '../telemetry/warn';
import { BasePlugin, type HookParams, isBasePlugin } from './base-plugin';
import { PluginManager } from './plugin-manager';

// Plugins look at what they are given; these tests only pass it through.
const PARAMS = {} as never;

describe('PluginManager', () => {
  it('refuses two plugins of one name (B53)', () => {
    const plugins = [aPlugin({}, 'one'), aPlugin({}, 'two'), aPlugin({}, 'one')];

    expect(() => new PluginManager(plugins)).toThrow(
      expect.objectContaining({ code: 'plugin.duplicate', message: 'Two plugins are called "one".' }),
    );
  });

  it('finds a plugin by its name, and knows which hooks anybody has', () => {
    const plugin = aPlugin({ beforeRunCallback: () => undefined }, 'one');
    const manager = new PluginManager([plugin]);

    expect(manager.getPlugin('one')).toBe(plugin);
    expect(manager.getPlugin('two')).toBeUndefined();
    expect(manager.has('beforeRunCallback')).toBe(true);
    expect(manager.has('onEventCallback')).toBe(false);
    expect(isBasePlugin(plugin)).toBe(true);
  });

  it('knows a hook that a class has of its own or above it, and none that it left out', async () => {
    class Deaf extends BasePlugin {}
    class Counting extends BasePlugin {
      asked = 0;
      override async beforeRunCallback(params: HookParams<'beforeRunCallback'>) {
        this.asked += 1;
        return super.beforeRunCallback(params);
      }
    }
    class Below extends Counting {}
    const below = new Below('below');
    const manager = new PluginManager([new Deaf('deaf'), below]);

    expect(await manager.first('beforeRunCallback', PARAMS)).toBeUndefined();
    expect(below.asked).toBe(1);
    expect(manager.has('beforeRunCallback')).toBe(true);
    expect(manager.has('afterModelCallback')).toBe(false);
    expect(await new Deaf('deaf').onEventCallback(PARAMS)).toBeUndefined();
  });

  it('passes by a hook that is set to nothing, as authors without types do', async () => {
    const plugin = Object.assign(aPlugin({}, 'one'), { beforeRunCallback: null });
    const manager = new PluginManager([plugin]);

    expect(manager.has('beforeRunCallback')).toBe(false);
    expect(await manager.first('beforeRunCallback', PARAMS)).toBeUndefined();
  });

  it('asks in order until one answers, and nobody after it (B21)', async () => {
    const asked: string[] = [];
    const answering = (name: string, answer?: { parts: [] } | null) =>
      aPlugin(
        {
          beforeRunCallback: () => {
            asked.push(name);
            // Authors without types answer null for nothing.
            return answer as { parts: [] } | undefined;
          },
        },
        name,
      );
    const manager = new PluginManager([
      answering('silent'),
      aPlugin({}, 'without'),
      answering('null', null),
      answering('speaks', { parts: [] }),
      answering('late', { parts: [] }),
    ]);

    expect(await manager.first('beforeRunCallback', PARAMS)).toEqual({ parts: [] });
    expect(asked).toEqual(['silent', 'null', 'speaks']);
  });

  it('takes an empty object for an answer (B27)', async () => {
    const manager = new PluginManager([aPlugin({ beforeToolCallback: () => ({}) })]);

    expect(await manager.first('beforeToolCallback', PARAMS)).toEqual({});
  });

  it('calls a hook as a method of its plugin', async () => {
    const plugin = aPlugin({
      beforeRunCallback() {
        return { parts: [{ text: (this as unknown as { name: string }).name }] };
      },
    });

    expect(await new PluginManager([plugin]).first('beforeRunCallback', PARAMS)).toEqual({
      parts: [{ text: 'a-plugin' }],
    });
  });

  it('says which plugin failed in which hook, and why (B53)', async () => {
    const cause = new TypeError('Broken.');
    const plugin = aPlugin({ beforeModelCallback: () => Promise.reject(cause) }, 'guard');

    await expect(new PluginManager([plugin]).first('beforeModelCallback', PARAMS)).rejects.toMatchObject({
      code: 'plugin.failed',
      message: "Error in plugin 'guard' during 'beforeModelCallback' callback: Broken.",
      cause,
    });
  });

  it('tells every plugin of the end of a run; one that throws fails it (B52, B53)', async () => {
    const told = jest.fn();
    const throwing = () => {
      throw new Error('Broken.');
    };

    await new PluginManager([
      aPlugin({ afterRunCallback: told }, 'one'),
      aPlugin({ afterRunCallback: told }, 'two'),
    ]).notifyEnd(PARAMS);
    const failed = new PluginManager([aPlugin({ afterRunCallback: throwing })]).notifyEnd(PARAMS);

    expect(told).toHaveBeenCalledTimes(2);
    await expect(failed).rejects.toThrow("'afterRunCallback' callback: Broken.");
  });

  it('tells every plugin of an error, also when one of them fails at it', async () => {
    const warnings: Warning[] = [];
    const note = (warning: unknown): void => void warnings.push(warning as Warning);
    subscribe(WARNINGS, note);
    const told = jest.fn();
    const throwing = () => {
      throw new Error('Broken.');
    };

    await new PluginManager([
      aPlugin({ onRunErrorCallback: throwing }, 'bad'),
      aPlugin({ onRunErrorCallback: told }, 'good'),
    ]).notifyError('onRunErrorCallback', { invocationContext: { invocationId: 'e-1' } } as never);
    unsubscribe(WARNINGS, note);

    expect(told).toHaveBeenCalledTimes(1);
    expect(warnings).toMatchObject([
      { fields: { plugin: 'bad', hook: 'onRunErrorCallback', invocationId: 'e-1' } },
    ]);
  });
});

describe('closing plugins', () => {
  it('closes all side by side and answers what went wrong', async () => {
    const closed: string[] = [];
    const closing = (name: string, close: () => Promise<void>) => Object.assign(aPlugin({}, name), { close });

    const failures = await new PluginManager([
      closing('bad', async () => {
        throw new Error('Broken.');
      }),
      closing('good', async () => void closed.push('good')),
    ]).close();

    expect(closed).toEqual(['good']);
    expect(failures.map(({ message }) => message)).toEqual(['Broken.']);
  });

  it('waits 5 s for a plugin that hangs, and no longer (B53)', async () => {
    jest.useFakeTimers();
    const hanging = Object.assign(aPlugin({}, 'slow'), { close: () => new Promise<void>(() => undefined) });
    const settled = jest.fn();

    const closing = new PluginManager([hanging]).close();
    void closing.then(settled);
    await jest.advanceTimersByTimeAsync(4_999);
    const before = settled.mock.calls.length;
    await jest.advanceTimersByTimeAsync(1);
    jest.useRealTimers();

    expect(before).toBe(0);
    expect((await closing).map(({ message }) => message)).toEqual([
      "Plugin 'slow' did not close in 5000 ms.",
    ]);
  });

  it('leaves no timer behind', async () => {
    jest.useFakeTimers();

    await new PluginManager([aPlugin()]).close();
    const timers = jest.getTimerCount();
    jest.useRealTimers();

    expect(timers).toBe(0);
  });
});
