import { type Content, type Part } from '@skein/contracts';
import { type BaseCodeExecutor } from './base-code-executor';

/** The answer up to its first block of code, the block as a part of its own; what follows was made up, and is dropped. */
export function extractCode(content: Content, executor: BaseCodeExecutor): Content {
  const parts = content.parts ?? [];
  if (parts.some(({ functionCall }) => functionCall)) return content;
  const written = parts.findIndex(({ executableCode }) => executableCode);
  if (written >= 0) return { ...content, parts: parts.slice(0, written + 1) };
  for (const [index, part] of parts.entries()) {
    const found = part.thought ? undefined : firstBlock(part.text ?? '', executor);
    if (found) return { ...content, parts: [...parts.slice(0, index), ...found] };
  }
  return content;
}

/** Code and its results as the text a model writes and reads, for providers that know no such parts. */
export function codeAsText(content: Content, executor: BaseCodeExecutor): Content {
  const [[open, close] = ['```\n', '\n```']] = executor.codeBlockDelimiters;
  return {
    ...content,
    // A result is told to the model, which did not say it itself.
    ...(content.parts?.some((part) => part.codeExecutionResult) ? { role: 'user' } : {}),
    parts: (content.parts ?? []).map((part) => {
      if (part.executableCode) return { text: open + (part.executableCode.code ?? '') + close };
      if (part.codeExecutionResult)
        return { text: `\`\`\`tool_output\n${part.codeExecutionResult.output ?? ''}\n\`\`\`` };
      return part;
    }),
  };
}

function firstBlock(text: string, { codeBlockDelimiters }: BaseCodeExecutor): Part[] | undefined {
  const blocks = codeBlockDelimiters.flatMap(([open, close]) => {
    const start = text.indexOf(open);
    const end = start < 0 ? -1 : text.indexOf(close, start + open.length);
    return end < 0 ? [] : [{ start, code: text.slice(start + open.length, end), language: languageOf(open) }];
  });
  const [first] = blocks.sort((one, other) => one.start - other.start);
  if (!first) return undefined;
  const before = text.slice(0, first.start);
  return [
    ...(before.trim() ? [{ text: before }] : []),
    { executableCode: { code: first.code, language: first.language } },
  ];
}

function languageOf(open: string): string {
  const name = open.replace(/`/g, '').trim();
  return name === 'tool_code' ? 'PYTHON' : name.toUpperCase();
}
