package io.skerry.format.index.api;

import io.skerry.chunk.SectionTable;

/**
 * Where a chunk is and how it divides: one element of a chunk index.
 *
 * @param address first byte of the image, relative to the base address; always defined
 * @param sections size of the image, and whatever else the index keeps of it
 */
public record ChunkRecord(long address, SectionTable sections) {}
