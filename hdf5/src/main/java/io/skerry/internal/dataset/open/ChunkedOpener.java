package io.skerry.internal.dataset.open;

import io.skerry.chunk.format.ChunkFormat;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.datatype.Datatype;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.index.api.ChunkIndex;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.message.dataset.DataspaceMessage;
import io.skerry.format.message.dataset.DatatypeMessage;
import io.skerry.internal.dataset.HdfFile;
import io.skerry.internal.dataset.LostContent;
import io.skerry.selection.SelectionEncoding;
import io.skerry.selection.Shape;
import io.skerry.spi.ObjectPath;
import java.util.Optional;

/** Opens the chunks of a dataset: the chunk format and the chunk index. */
public final class ChunkedOpener {
  private final HdfFile file;
  private final ObjectPath path;
  private final ObjectHeader header;
  private final SelectionEncoding encoding;

  /**
   * Creates an opener for the chunks of one dataset.
   *
   * @param encoding the encoding with which this program stores the locations of defined elements
   *     in sparse chunks
   */
  ChunkedOpener(HdfFile file, ObjectPath path, ObjectHeader header, SelectionEncoding encoding) {
    this.file = file;
    this.path = path;
    this.header = header;
    this.encoding = encoding;
  }

  /**
   * Returns the stored chunks of a chunked dataset for a single traversal; they are not added to
   * the directory of open datasets.
   */
  public static ChunkedDataset unshared(HdfFile file, ObjectPath path, ObjectHeader header) {
    return new ChunkedOpener(file, path, header, SelectionEncoding.SMALLEST)
        .chunks(
            (ChunkedLayout) header.require(LayoutMessage.class),
            header.require(DatatypeMessage.class).datatype(),
            header.require(DataspaceMessage.class).shape());
  }

  /**
   * Returns the dataset's chunks from the file's directory of open datasets; adds them first if
   * they are not there.
   */
  ChunkedDataset open(ChunkedLayout layout, Datatype type, Shape shape) {
    Optional<ChunkedDataset> known = file.tree().datasets().find(header.address());
    if (known.isPresent()) {
      return known.get();
    }
    ChunkedDataset dataset = chunks(layout, type, shape);
    LostContent.releaseOverwritten(
        file, dataset, new FillValueReader(file, path, header).read(type));
    file.tree().datasets().opened(dataset, file.collective());
    return dataset;
  }

  private ChunkedDataset chunks(ChunkedLayout layout, Datatype type, Shape shape) {
    ChunkFormat format = new ChunkFormatReader(file, path, header, encoding).read(layout, type);
    ChunkIndex index = new ChunkIndexOpener(file.tree(), header).open(layout, shape);
    return new ChunkedDataset(header.address(), path.shown(), shape, format, index);
  }
}
