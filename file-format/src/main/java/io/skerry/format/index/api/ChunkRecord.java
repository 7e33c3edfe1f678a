package io.skerry.format.index.api;

import io.skerry.chunk.SectionTable;

/**
 * A record of a chunk index: the location of a chunk and the sizes of its sections.
 *
 * @param address the address of the stored chunk, relative to the base address; always defined
 * @param sections the size of the stored chunk, and the other fields that the index stores about it
 */
public record ChunkRecord(long address, SectionTable sections) {}
