import { type SeedGroup } from './seed-item';

const memory = 'libs/engine/src/memory';
const memoryContract = 'libs/testing/src/contracts/memory-service.contract.ts';
const artifact = 'libs/engine/src/artifact';
const artifactContract = 'libs/testing/src/contracts/artifact-service.contract.ts';
const context = 'libs/engine/src/agent/context.ts';
const contextSpec = 'libs/engine/src/agent/context.spec.ts';

/** ADK.Memory and ADK.Artifact. */
export const memoryAndArtifacts: SeedGroup = {
  title: 'Memory and artifacts',
  items: [
    {
      item: 'ADK.Memory.Entry',
      named: '000, 002',
      file: 'libs/contracts/src/memory.ts',
      symbol: 'memoryEntrySchema',
      fields: { content: 'content', author: 'author', timestamp: 'timestamp' },
      test: [memoryContract, 'B61'],
    },
    {
      item: 'ADK.Memory.Service, the behaviour',
      named: '000, 002',
      file: `${memory}/memory-service.ts`,
      symbol: 'MemoryService',
      fields: { 'add_session/2': 'addSessionToMemory', 'search/2': 'searchMemory' },
      test: [memoryContract, 'B61'],
    },
    {
      item: 'ADK.Memory.InMemory: search by words in common, kept by app and user',
      named: '000, 002',
      file: `${memory}/in-memory-memory-service.ts`,
      symbol: 'InMemoryMemoryService',
      test: [memoryContract, 'B61'],
    },
    {
      item: 'InvocationContext.memory_service',
      named: '000',
      file: 'libs/engine/src/agent/invocation-context.ts',
      symbol: 'memoryService',
      test: [contextSpec, "searches the memory of its user's earlier sessions (B61)"],
    },
    {
      item: 'CallbackContext.search_memory/2, ToolContext.search_memory/2',
      named: '000',
      file: context,
      symbol: 'searchMemory',
      test: [contextSpec, "searches the memory of its user's earlier sessions (B61)"],
    },
    {
      item: 'ADK.Artifact.Service, the behaviour',
      named: '000, 002',
      file: `${artifact}/artifact-service.ts`,
      symbol: 'ArtifactService',
      fields: {
        save: 'saveArtifact',
        load: 'loadArtifact',
        delete: 'deleteArtifact',
        list: 'listArtifactKeys',
        versions: 'listVersions',
      },
      test: [artifactContract, 'counts the versions of a name from 0 and keeps each of them'],
    },
    {
      item: 'ADK.Artifact.InMemory, kept by app, user, session, filename, version',
      named: '000, 002',
      file: `${artifact}/in-memory-artifact-service.ts`,
      symbol: 'InMemoryArtifactService',
      test: [artifactContract, 'keeps sessions apart, but shows a user: name in every session of its user'],
    },
    {
      item: 'versions are counted on save; load version 0 is the latest',
      named: '000',
      file: `${artifact}/artifact-service.ts`,
      symbol: 'version',
      departure: 'artifact-versions',
      test: [artifactContract, 'counts the versions of a name from 0 and keeps each of them'],
    },
    {
      item: 'user: filenames are shared over sessions',
      named: '000, 002',
      file: `${artifact}/artifact-name.ts`,
      symbol: 'USER_PREFIX',
      test: [artifactContract, 'keeps sessions apart, but shows a user: name in every session of its user'],
    },
    {
      item: 'validation of filenames',
      named: '000',
      file: `${artifact}/artifact-name.ts`,
      symbol: 'assertArtifactName',
      departure: 'artifact-names',
      test: [`${artifact}/artifact-name.spec.ts`, 'may not be %j'],
    },
    {
      item: 'InvocationContext.artifact_service',
      named: '000',
      file: 'libs/engine/src/agent/invocation-context.ts',
      symbol: 'artifactService',
      test: ['libs/agent-loader/src/examples.spec.ts', 'and saves an artifact'],
    },
    {
      item: 'ToolContext.save_artifact/3 notes the version in actions.artifact_delta',
      named: '000',
      file: context,
      fields: { 'save_artifact/3': 'saveArtifact', artifact_delta: 'artifactDelta' },
      test: ['libs/agent-loader/src/examples.spec.ts', 'and saves an artifact'],
    },
    {
      item: 'ToolContext.load_artifact/2-3, list_artifacts/1',
      named: '000',
      file: context,
      fields: { 'load_artifact/2-3': 'loadArtifact', 'list_artifacts/1': 'listArtifacts' },
      test: [contextSpec, 'saves, loads and lists artifacts'],
    },
  ],
};
