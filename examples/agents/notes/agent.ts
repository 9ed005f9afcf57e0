import { type Context, FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';
import { z } from 'zod';
import { script } from './script';

const NOTES = 'notes';
// The prefix makes it the user's: every session of hers sees it, also in other apps' processes.
const NAME = 'user:name';

function notesOf(context: Context): string[] {
  return context.state.get<string[]>(NOTES, []) ?? [];
}

const addNotes = new FunctionTool({
  name: 'add_notes',
  // A list, because calls of one turn run at the same time: two that each add one note would lose one of them.
  description: 'Adds notes to the list; give all of them in one call.',
  parameters: z.object({ notes: z.array(z.string().min(1)).min(1) }),
  execute: ({ notes }, context) => {
    const all = [...notesOf(context), ...notes];
    context.state.set(NOTES, all);
    return { added: notes, count: all.length };
  },
});

const listNotes = new FunctionTool({
  name: 'list_notes',
  description: "Reads the list of notes and the user's name, if known.",
  execute: (_args, context) => ({ notes: notesOf(context), name: context.state.get<string>(NAME) ?? null }),
});

const rememberName = new FunctionTool({
  name: 'remember_name',
  description: 'Remembers what the user wants to be called, in this and every later session.',
  parameters: z.object({ name: z.string().min(1) }),
  execute: ({ name }, context) => {
    context.state.set(NAME, name);
    return { name };
  },
});

const exportNotes = new FunctionTool({
  name: 'export_notes',
  description: 'Saves the notes as the artifact notes.md.',
  execute: async (_args, context) => {
    const notes = notesOf(context);
    const owner = context.state.get<string>(NAME);
    const title = owner ? `Notes of ${owner}` : 'Notes';
    const markdown = `# ${title}\n\n${notes.map((note) => `- ${note}\n`).join('')}`;
    const data = Buffer.from(markdown).toString('base64');
    const version = await context.saveArtifact('notes.md', {
      inlineData: { mimeType: 'text/markdown', data },
    });
    return { filename: 'notes.md', version, count: notes.length };
  },
});

// With a key a real model answers; without one a script does, so that the sample runs anywhere.
const hasKey = Boolean(process.env.GOOGLE_API_KEY ?? process.env.GEMINI_API_KEY);

export const rootAgent = new LlmAgent({
  name: 'notes_agent',
  description: 'Keeps a list of notes.',
  model: hasKey ? 'gemini-2.5-flash' : new ScriptedLlm({ rules: script }),
  instruction:
    'Keep a list of notes for the user, with your tools. The user is called: {user:name?}. ' +
    'Remember the name when the user tells you one; export the notes when asked to.',
  tools: [addNotes, listNotes, rememberName, exportNotes],
});
