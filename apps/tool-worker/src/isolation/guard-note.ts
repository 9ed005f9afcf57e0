/** The pipe from a tool's process to the worker for what a blocked one cannot say otherwise. */
export const GUARD_FD = 4;
export const MEMORY_NOTE = 'memory';
