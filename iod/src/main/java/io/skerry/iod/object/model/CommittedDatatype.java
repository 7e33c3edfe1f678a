package io.skerry.iod.object.model;

import io.skerry.datatype.Datatype;
import io.skerry.exception.FormatException;
import io.skerry.iod.encoding.EncodedDatatype;
import io.skerry.iod.object.BlobObject;
import io.skerry.iod.object.Values;

/** Reads committed datatypes. Local, thread-safe. */
public final class CommittedDatatype {
  /** The maximum size of an encoded datatype that is read, in bytes. */
  private static final long LARGEST = 1 << 28;

  private CommittedDatatype() {}

  /**
   * Returns a committed datatype.
   *
   * @throws FormatException if the encoded datatype or its size is damaged
   */
  public static Datatype read(StoredObject object, Values values) {
    long size = object.metadata(values).u64(MetadataKey.SERIALIZED_SIZE).orElse(0);
    try {
      if (size < 1 || size > LARGEST) {
        throw new FormatException("serialized_size", "1 to " + LARGEST, size);
      }
      return EncodedDatatype.decode(
          new BlobObject(object.id(), values).readKnown(size, Metadata.HEAP));
    } catch (FormatException e) {
      throw e.inObject(object.id().toString()).inFile(values.container());
    }
  }
}
