package io.skerry.iod.object;

import io.skerry.format.Bytes;
import java.lang.foreign.MemorySegment;

/**
 * A pair of a key-value object.
 *
 * @param key the key, 0 to 65,535 bytes
 * @param value the value, in memory of the allocator that the caller passed
 */
public record KeyValue(Bytes key, MemorySegment value) {}
