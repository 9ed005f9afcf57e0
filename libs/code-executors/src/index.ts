export {
  LocalCodeExecutor,
  LocalCodeExecutor as UnsafeLocalCodeExecutor,
  type LocalCodeExecutorOptions,
} from './local-code-executor';
