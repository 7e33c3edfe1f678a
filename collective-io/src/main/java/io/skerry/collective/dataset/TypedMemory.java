package io.skerry.collective.dataset;

import io.skerry.chunk.datatype.conversion.Conversion;
import java.lang.foreign.MemorySegment;

/**
 * Where the values of one read go.
 *
 * @param values room for one per selected element, in selection order, in the memory type; holds
 *     what the conversion keeps
 * @param conversion from the file datatype to the memory type
 */
public record TypedMemory(MemorySegment values, Conversion conversion) {}
