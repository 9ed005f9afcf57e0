import { geminiDialect, llmContract } from '@skein/testing';
import { Gemini } from './gemini.model';

llmContract('Gemini', {
  dialect: geminiDialect,
  model: 'gemini-2.5-flash',
  make: (params) => new Gemini(params),
});
