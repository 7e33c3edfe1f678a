package io.skerry.iod.engine;

import java.lang.foreign.MemorySegment;

/**
 * A value with the version to which it belongs.
 *
 * @param version the version, which is not a removal
 * @param value the value, in memory of the allocator that the caller passed
 */
public record Entry(Version version, MemorySegment value) {}
