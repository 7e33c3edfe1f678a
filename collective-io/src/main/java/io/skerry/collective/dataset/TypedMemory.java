package io.skerry.collective.dataset;

import io.skerry.chunk.datatype.conversion.Conversion;
import java.lang.foreign.MemorySegment;

/**
 * The destination of the values of one read.
 *
 * @param values memory for one value per selected element, in selection order, in the memory
 *     datatype; parts of elements that the conversion does not write keep their bytes
 * @param conversion the conversion from the file datatype to the memory datatype
 */
public record TypedMemory(MemorySegment values, Conversion conversion) {}
