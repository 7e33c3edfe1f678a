/** Chunk formats: dense, sparse and variable-length chunks, in memory and as stored. */
package io.skerry.chunk.format;
