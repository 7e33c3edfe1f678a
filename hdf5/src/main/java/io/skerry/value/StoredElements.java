package io.skerry.value;

import java.lang.foreign.MemorySegment;

/**
 * Elements in the file datatype, with access to the variable-length values and the objects to which
 * they refer.
 *
 * @param packed the elements without gaps between them; each has the size of the datatype
 * @param contents the access to variable-length values and to the targets of references
 */
public record StoredElements(MemorySegment packed, Contents contents) {}
