package io.skerry.collective;

import io.skerry.collective.dataset.MetadataSource;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.ByteSource;

/**
 * The metadata of a file that is being opened.
 *
 * @param metadata the object headers and the superblock
 * @param stored the bytes of the file, with addresses relative to the base address
 * @param space the allocator of the file's space, in the same state on all ranks
 * @param base the base address, in bytes from the beginning of the file
 * @param committedEnd the end of the file when it was opened, relative to the base address: the
 *     stored end-of-file address or the actual size, whichever is greater; 0 for a new file
 */
public record LoadedMetadata<M extends MetadataSource>(
    M metadata, ByteSource stored, SpaceAllocator space, long base, long committedEnd) {}
