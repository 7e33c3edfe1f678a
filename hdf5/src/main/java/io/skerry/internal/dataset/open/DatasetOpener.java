package io.skerry.internal.dataset.open;

import io.skerry.datatype.Datatype;
import io.skerry.exception.FormatException;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.CompactLayout;
import io.skerry.format.layout.ContiguousLayout;
import io.skerry.format.layout.VirtualLayoutMessage;
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
  private final DatasetHeader messages;
  private final SelectionEncoding encoding;

  private DatasetOpener(
      HdfFile file, ObjectPath path, ObjectHeader header, SelectionEncoding encoding) {
    this.file = file;
    this.path = path;
    this.header = header;
    this.messages = new DatasetHeader(header);
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
   * Opens a dataset even if the policy refuses a source of a virtual dataset; the extent is then
   * the one stored in the file. This suffices for callers that use only the header and the names of
   * other files.
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
    Datatype type = messages.type();
    Shape shape = storedShape();
    Storage storage = storage(type, shape);
    Shape reached =
        storage instanceof Storage.Virtual(VirtualContent content)
            ? new VirtualOpener(file, path).extent(content, shape)
            : shape;
    return new NativeDataset(file, path, header.address(), reached, fill(type), storage);
  }

  private NativeDataset open(Shape shape) {
    Datatype type = messages.type();
    return new NativeDataset(file, path, header.address(), shape, fill(type), storage(type, shape));
  }

  private Shape storedShape() {
    return messages.shape();
  }

  private FillValue fill(Datatype type) {
    return new FillValue(type, messages.fill(type));
  }

  private Storage storage(Datatype type, Shape shape) {
    return switch (messages.layout()) {
      case ChunkedLayout chunked ->
          new Storage.Chunked(
              new ChunkedOpener(file, path, header, encoding).open(chunked, type, shape));
      case ContiguousLayout contiguous -> flat(contiguous, type, shape);
      case CompactLayout compact -> messages.storage(compact, type);
      case VirtualLayoutMessage mapped -> new VirtualOpener(file, path).open(mapped, shape);
    };
  }

  /** Returns contiguous storage: one block of this file, or pieces of external files. */
  private Storage flat(ContiguousLayout layout, Datatype type, Shape shape) {
    messages.checkCountable(type, shape);
    Optional<ExternalFilesMessage> elsewhere = header.find(ExternalFilesMessage.class);
    if (elsewhere.isPresent()) {
      return new ExternalOpener(file, path).open(elsewhere.get());
    }
    return messages.storage(layout, type);
  }
}
