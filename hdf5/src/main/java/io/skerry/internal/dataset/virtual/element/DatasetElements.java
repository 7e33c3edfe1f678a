package io.skerry.internal.dataset.virtual.element;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.datatype.Datatype;
import io.skerry.exception.FormatException;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.value.StoredContents;
import io.skerry.internal.value.message.ElementFile;
import io.skerry.internal.value.message.MessageContents;
import io.skerry.internal.value.message.MessageWriter;
import io.skerry.value.StoredElements;

/**
 * The properties of a dataset on which the conversion of its elements depends. They remain
 * available after the file of the dataset is closed.
 *
 * @param type the datatype
 * @param file the file
 * @param path the path of the dataset in the file
 */
public record DatasetElements(Datatype type, ElementFile file, String path) {
  /** Returns the properties of an open dataset. */
  public static DatasetElements of(NativeDataset dataset) {
    return new DatasetElements(
        dataset.datatype(),
        ElementFile.of(dataset.file().path(), dataset.file().contents()),
        dataset.path());
  }

  /** Returns a writer of messages with elements that were read from the dataset. */
  public MessageWriter writer(StoredElements read) {
    return new MessageWriter(StoredContents.of(read.contents()), type);
  }

  /** Decodes a message with elements of the dataset. The elements are views of the message. */
  public StoredElements read(ByteReader message, long count) {
    return MessageContents.read(message, type, count, file);
  }

  /**
   * Returns a copy of an exception with the names of the file and of the dataset. A name that the
   * exception already has is kept.
   */
  public FormatException located(FormatException e) {
    return e.inFile(file.name()).inObject(path);
  }
}
