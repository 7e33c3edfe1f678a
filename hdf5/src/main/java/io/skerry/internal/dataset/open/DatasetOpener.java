package io.skerry.internal.dataset.open;

import io.skerry.datatype.Datatype;
import io.skerry.exception.FormatException;
import io.skerry.format.Bytes;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.CompactLayout;
import io.skerry.format.layout.ContiguousLayout;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.layout.VirtualLayoutMessage;
import io.skerry.format.message.dataset.DataspaceMessage;
import io.skerry.format.message.dataset.DatatypeMessage;
import io.skerry.format.message.dataset.ExternalFilesMessage;
import io.skerry.internal.dataset.HdfFile;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.Storage;
import io.skerry.internal.dataset.VirtualContent;
import io.skerry.internal.value.FillValue;
import io.skerry.parallel.UntrustedFileException;
import io.skerry.selection.SelectionEncoding;
import io.skerry.selection.Shape;
import io.skerry.spi.ObjectPath;
import java.util.Optional;

/** Opens a dataset from the messages of its object header. */
public final class DatasetOpener {
  private final HdfFile file;
  private final ObjectPath path;
  private final ObjectHeader header;
  private final SelectionEncoding encoding;

  private DatasetOpener(
      HdfFile file, ObjectPath path, ObjectHeader header, SelectionEncoding encoding) {
    this.file = file;
    this.path = path;
    this.header = header;
    this.encoding = encoding;
  }

  public static NativeDataset open(HdfFile file, String path, long address) {
    return open(file, ObjectPath.of(path), address);
  }

  public static NativeDataset open(HdfFile file, ObjectPath path, long address) {
    return open(file, path, address, SelectionEncoding.SMALLEST);
  }

  /**
   * Opens the dataset that an object header describes.
   *
   * @param encoding the encoding with which this program stores the locations of defined elements
   *     in sparse chunks; the file does not store the encoding, since a reader accepts every
   *     encoding
   */
  public static NativeDataset open(
      HdfFile file, ObjectPath path, long address, SelectionEncoding encoding) {
    try {
      return new DatasetOpener(file, path, file.tree().header(address), encoding).open();
    } catch (FormatException e) {
      throw e.inFile(file.path().toString()).inObject(path.shown()).atAddress(address);
    }
  }

  /**
   * Opens a dataset that was just created; the extent of a virtual dataset is the one stored in the
   * file, and its sources are not opened.
   *
   * @param encoding the encoding, as for {@link #open(HdfFile, ObjectPath, long,
   *     SelectionEncoding)}
   */
  public static NativeDataset created(
      HdfFile file, ObjectPath path, long address, SelectionEncoding encoding) {
    DatasetOpener opener = new DatasetOpener(file, path, file.tree().header(address), encoding);
    return opener.open(opener.storedShape());
  }

  /**
   * Opens a dataset to use only its header and the names of other files: if the policy refuses a
   * source of a virtual dataset, the extent is the one stored in the file.
   */
  public static NativeDataset openNames(HdfFile file, ObjectPath path, long address) {
    try {
      return open(file, path, address);
    } catch (UntrustedFileException e) {
      DatasetOpener opener =
          new DatasetOpener(file, path, file.tree().header(address), SelectionEncoding.SMALLEST);
      return opener.open(opener.storedShape());
    }
  }

  private NativeDataset open() {
    Datatype type = type();
    Shape shape = storedShape();
    Storage storage = storage(type, shape);
    Shape reached =
        storage instanceof Storage.Virtual(VirtualContent content)
            ? new VirtualOpener(file, path).extent(content, shape)
            : shape;
    return new NativeDataset(file, path, header.address(), reached, fill(type), storage);
  }

  private NativeDataset open(Shape shape) {
    Datatype type = type();
    return new NativeDataset(file, path, header.address(), shape, fill(type), storage(type, shape));
  }

  private Datatype type() {
    return required(header.find(DatatypeMessage.class), "datatype").datatype();
  }

  private Shape storedShape() {
    return required(header.find(DataspaceMessage.class), "dataspace").shape();
  }

  private FillValue fill(Datatype type) {
    return new FillValue(type, new FillValueReader(file, path, header).read(type));
  }

  private Storage storage(Datatype type, Shape shape) {
    return switch (required(header.find(LayoutMessage.class), "layout")) {
      case ChunkedLayout chunked ->
          new Storage.Chunked(
              new ChunkedOpener(file, path, header, encoding).open(chunked, type, shape));
      case ContiguousLayout contiguous -> flat(contiguous, type, shape);
      case CompactLayout(Bytes data) -> {
        checkSize("bytes of compact data", data.size(), type);
        yield new Storage.Compact(data.segment());
      }
      case VirtualLayoutMessage mapped -> new VirtualOpener(file, path).open(mapped, shape);
    };
  }

  /** Returns contiguous storage: one block of this file, or pieces of external files. */
  private Storage flat(ContiguousLayout layout, Datatype type, Shape shape) {
    if (shape.elements() > Long.MAX_VALUE / type.size()) {
      throw new FormatException("bytes of a contiguous dataset", "below 2^63", shape + " elements");
    }
    Optional<ExternalFilesMessage> elsewhere = header.find(ExternalFilesMessage.class);
    if (elsewhere.isPresent()) {
      return new ExternalOpener(file, path).open(elsewhere.get());
    }
    if (layout.isAllocated()) {
      checkSize("bytes of contiguous data", layout.size(), type);
    }
    return Storage.Contiguous.of(layout);
  }

  /** Checks that the elements fit in their storage; a null dataspace has no elements. */
  private void checkSize(String what, long size, Datatype type) {
    long elements = header.require(DataspaceMessage.class).elements();
    if (size / type.size() < elements) {
      throw new FormatException(
          what, "at least " + elements + " elements of " + type.size() + " bytes", size);
    }
  }

  private <T> T required(Optional<T> message, String what) {
    return message.orElseThrow(
        () -> new FormatException("dataset without a message", what, "none"));
  }
}
