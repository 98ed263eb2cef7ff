// Preloaded into a server: answers each message of the parent process with the bytes that are in use on the heap.
process.on('message', () => process.send(process.memoryUsage().heapUsed))
