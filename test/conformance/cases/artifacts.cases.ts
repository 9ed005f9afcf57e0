import { appFile, rootAgentFile } from '../agent-file';
import { type ConformanceCase } from '../case';

/** A tool that does with artifacts what its arguments say. */
const FILES = `
const files = () => tool('files', async ({ save, load, version, text }, context) => {
  if (save) return { version: await context.saveArtifact(save, { text }) };
  if (load) return { loaded: (await context.loadArtifact(load, version))?.text ?? null };
  return { names: await context.listArtifacts() };
});
const does = (...list) => says(...list.map((args) => calls('files', args)));`;

/** Files of a session and of its user. */
export const artifactCases: readonly ConformanceCase[] = [
  {
    name: 'artifact_versions',
    says: 'counts the versions of an artifact from 0, and loads the latest or the one asked for (B60)',
    source: rootAgentFile(
      `agent('root', [
        does({ save: 'a.txt', text: 'first' }), does({ save: 'a.txt', text: 'second' }),
        does({ load: 'a.txt' }, { load: 'a.txt', version: 0 }, { load: 'a.txt', version: 7 }, { load: 'b.txt' }), says('Done.'),
      ], { tools: [files()] })`,
      FILES,
    ),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'root: files({"save":"a.txt","text":"first"})',
          'root: files -> {"version":0} [artifacts {"a.txt":0}]',
          'root: files({"save":"a.txt","text":"second"})',
          'root: files -> {"version":1} [artifacts {"a.txt":1}]',
          'root: files({"load":"a.txt"}) + files({"load":"a.txt","version":0}) + files({"load":"a.txt","version":7}) + files({"load":"b.txt"})',
          'root: files -> {"loaded":"second"} + files -> {"loaded":"first"} + files -> {"loaded":null} + files -> {"loaded":null}',
          'root: Done.',
        ],
      ],
    },
  },
  {
    name: 'artifact_scopes',
    says: 'keeps user: artifacts over the sessions of a user, others in their session, and lists both sorted (B60)',
    source: rootAgentFile(
      `agent('root', [
        does({ save: 'user:me.txt', text: 'mine' }, { save: 'z/here.txt', text: 'here' }), does({}), says('Done.'),
      ], { tools: [files()], beforeAgentCallback: async (context) => {
        const names = await context.listArtifacts();
        return names.length === 1 ? spoken(names[0] + ' ' + (await context.loadArtifact('user:me.txt')).text) : undefined;
      } })`,
      FILES,
    ),
    steps: [{ say: 'go' }, { newSession: {} }, { say: 'go' }],
    expect: {
      turns: [
        [
          'root: files({"save":"user:me.txt","text":"mine"}) + files({"save":"z/here.txt","text":"here"})',
          'root: files -> {"version":0} + files -> {"version":0} [artifacts {"z/here.txt":0,"user:me.txt":0}]',
          'root: files({})',
          'root: files -> {"names":["user:me.txt","z/here.txt"]}',
          'root: Done.',
        ],
        ['root: user:me.txt mine'],
      ],
    },
  },
  {
    name: 'artifact_names',
    says: 'refuses names that lead elsewhere (B60)',
    source: rootAgentFile(
      `agent('root', [does(...['../x', '/etc/x', 'a\\\\b', ''].map((save) => ({ save, text: 'x' }))), says('I see.')], {
        tools: [files()],
        afterToolCallback: ({ response }) => ({ refused: 'error' in response, names: response.names }),
      })`,
      FILES,
    ),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          String.raw`root: files({"save":"../x","text":"x"}) + files({"save":"/etc/x","text":"x"}) + files({"save":"a\\b","text":"x"}) + files({"save":"","text":"x"})`,
          'root: files -> {"refused":true} + files -> {"refused":true} + files -> {"refused":true} + files -> {"names":[],"refused":false}',
          'root: I see.',
        ],
      ],
    },
  },
  {
    name: 'artifact_bytes',
    says: 'gives back the bytes and the type of a file (B60)',
    source: rootAgentFile(`agent('root', [says(calls('draw')), says(calls('look')), says('Done.')], {
      tools: [
        tool('draw', async (_args, context) => {
          const inlineData = { mimeType: 'image/png', data: Buffer.from([0, 255, 10]).toString('base64') };
          return { version: await context.saveArtifact('dot.png', { inlineData }) };
        }),
        tool('look', async (_args, context) => {
          const { inlineData } = await context.loadArtifact('dot.png');
          return { type: inlineData.mimeType, bytes: [...Buffer.from(inlineData.data, 'base64')] };
        }),
      ],
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'root: draw({})',
          'root: draw -> {"version":0} [artifacts {"dot.png":0}]',
          'root: look({})',
          'root: look -> {"type":"image/png","bytes":[0,255,10]}',
          'root: Done.',
        ],
      ],
    },
  },
  {
    name: 'load_artifacts',
    says: 'tells the model which artifacts there are, and shows it the one it asks for, once (B60)',
    source:
      rootAgentFile(`agent('root', [says('Saved.'), says(calls('load_artifacts', { artifact_names: ['a.txt'] })), says('It says hi.'), says('Bye.')], {
      tools: [LOAD_ARTIFACTS],
      afterAgentCallback: async (context) =>
        void ((await context.listArtifacts()).length || (await context.saveArtifact('a.txt', { text: 'hi' }))),
    })`),
    steps: [{ say: 'keep it' }, { say: 'read it' }, { say: 'bye' }],
    expect: {
      turns: [
        ['root: Saved.', 'root: [artifacts {"a.txt":0}]'],
        [
          'root: load_artifacts({"artifact_names":["a.txt"]})',
          'root: load_artifacts -> {"status":"The contents follow, once. Call load_artifacts again to see them later.","artifact_names":["a.txt"]}',
          'root: It says hi.',
        ],
        ['root: Bye.'],
      ],
      asked: [
        ['user: keep it'],
        ['user: keep it', 'model: Saved.', 'user: read it'],
        [
          'user: keep it',
          'model: Saved.',
          'user: read it',
          'model: load_artifacts({"artifact_names":["a.txt"]})',
          'user: load_artifacts -> {"status":"The contents follow, once. Call load_artifacts again to see them later.","artifact_names":["a.txt"]}',
          'user: Artifact a.txt is: + hi',
        ],
        [
          'user: keep it',
          'model: Saved.',
          'user: read it',
          'model: load_artifacts({"artifact_names":["a.txt"]})',
          'user: load_artifacts -> {"status":"The contents follow, once. Call load_artifacts again to see them later.","artifact_names":["a.txt"]}',
          'model: It says hi.',
          'user: bye',
        ],
      ],
    },
  },
  {
    name: 'files_of_message',
    says: 'keeps the files of a message as artifacts where a plugin does so (B48, B60)',
    source: appFile(
      `rootAgent: agent('root', [says('Got it.')], {
        afterAgentCallback: async (context) => spoken((await context.listArtifacts()).join()),
      }), plugins: [new SaveFilesAsArtifactsPlugin()]`,
    ),
    steps: [
      {
        say: {
          role: 'user',
          parts: [
            { text: 'Keep this:' },
            { inlineData: { mimeType: 'text/plain', data: 'aGk=', displayName: 'hi.txt' } },
          ],
        },
      },
    ],
    expect: { turns: [['root: Got it.', 'root: hi.txt']] },
  },
];
