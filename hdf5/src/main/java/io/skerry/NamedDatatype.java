package io.skerry;

import io.skerry.chunk.type.Datatype;
import java.util.List;

/**
 * A datatype committed to the file under a name.
 *
 * @param path where it was found
 * @param datatype the type
 * @param attributes its attributes
 */
public record NamedDatatype(String path, Datatype datatype, List<Attribute> attributes)
    implements H5Object {}
