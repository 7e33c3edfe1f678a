package io.skerry.value;

import java.lang.foreign.MemorySegment;

/**
 * Elements as a dataset stores them, and what they lead to.
 *
 * @param packed one behind the other, each of the size of the datatype
 * @param contents where content of variable length and references are found
 */
public record StoredElements(MemorySegment packed, Contents contents) {}
