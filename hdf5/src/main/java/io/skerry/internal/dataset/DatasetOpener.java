package io.skerry.internal.dataset;

import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.DenseChunkFormat;
import io.skerry.chunk.format.SparseChunkFormat;
import io.skerry.chunk.format.VariableChunkFormat;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.datatype.Datatype;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.Filter;
import io.skerry.filter.pipeline.FilterPipeline;
import io.skerry.filter.pipeline.FilterSet;
import io.skerry.filter.pipeline.SectionPipelines;
import io.skerry.format.Bytes;
import io.skerry.format.block.FileAddress;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.index.ChunkIndexes;
import io.skerry.format.index.api.ChunkIndex;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.CompactLayout;
import io.skerry.format.layout.ContiguousLayout;
import io.skerry.format.layout.Filtering;
import io.skerry.format.layout.LayoutForm;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.layout.VirtualLayout;
import io.skerry.format.message.dataset.DataspaceMessage;
import io.skerry.format.message.dataset.DatatypeMessage;
import io.skerry.format.message.dataset.ExternalFilesMessage;
import io.skerry.format.message.dataset.FillValueMessage;
import io.skerry.format.message.dataset.FilterPipelineMessage;
import io.skerry.format.message.dataset.OldFillValueMessage;
import io.skerry.format.message.dataset.SectionPipelineMessage;
import io.skerry.format.symboltable.LocalHeap;
import io.skerry.format.vds.VirtualMapping;
import io.skerry.format.vds.VirtualMappings;
import io.skerry.internal.value.ElementTransfer;
import io.skerry.internal.value.OwnedContent;
import io.skerry.internal.value.PackedSink;
import io.skerry.parallel.UntrustedFileException;
import io.skerry.selection.SelectionEncoding;
import io.skerry.selection.Shape;
import io.skerry.spi.ObjectPath;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Opens a dataset from the messages of its object header. */
public final class DatasetOpener {
  /**
   * The treatment of chunks that compression does not make smaller: dense chunks never skip a
   * filter, since HDF5 up to 2.0.0 damages a chunk with a skipped filter. If HDF5 rewrites such a
   * chunk and its filtered size equals the previously stored size, the index keeps the record with
   * the old mask, and the chunk is read without undoing the filters.
   */
  static final Filter.Growth DENSE_GROWTH = Filter.Growth.STORED;

  private static final long LARGEST_CHUNK = 0xffffffffL;

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
   * @param encoding the encoding of the defined elements in sparse chunks that this program writes;
   *     the file does not store it, since a reader accepts every encoding
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
   * Opens a dataset without its sources, to obtain only the names of other files: if the policy
   * refuses the source of a virtual dataset, the extent is the one stored in the file.
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

  /**
   * Returns the stored chunks of a chunked dataset for a single traversal; the directory of open
   * datasets does not contain them.
   */
  public static ChunkedDataset unshared(HdfFile file, ObjectPath path, ObjectHeader header) {
    return new DatasetOpener(file, path, header, SelectionEncoding.SMALLEST)
        .chunks(
            (ChunkedLayout) header.require(LayoutMessage.class),
            header.require(DatatypeMessage.class).datatype(),
            header.require(DataspaceMessage.class).shape());
  }

  private NativeDataset open() {
    Datatype type = type();
    Shape shape = storedShape();
    Storage storage = storage(type, shape);
    Shape reached =
        storage instanceof Storage.Virtual(VirtualParts parts)
            ? file.sources().guarded(path.shown(), () -> parts.extent(shape))
            : shape;
    return new NativeDataset(file, path, header.address(), type, reached, fill(type), storage);
  }

  private NativeDataset open(Shape shape) {
    Datatype type = type();
    return new NativeDataset(
        file, path, header.address(), type, shape, fill(type), storage(type, shape));
  }

  private Datatype type() {
    return required(header.find(DatatypeMessage.class), "datatype").datatype();
  }

  private Shape storedShape() {
    return required(header.find(DataspaceMessage.class), "dataspace").shape();
  }

  private Storage storage(Datatype type, Shape shape) {
    return switch (required(header.find(LayoutMessage.class), "layout")) {
      case ChunkedLayout chunked -> new Storage.Chunked(chunked(chunked, type, shape));
      case ContiguousLayout(long address, _) -> contiguous(address, type, shape);
      case CompactLayout(Bytes data) -> new Storage.Compact(data.segment());
      case VirtualLayout mapped -> new Storage.Virtual(virtual(mapped, shape));
    };
  }

  private Storage contiguous(long address, Datatype type, Shape shape) {
    if (shape.elements() > Long.MAX_VALUE / type.size()) {
      throw new FormatException("bytes of a contiguous dataset", "below 2^63", shape + " elements");
    }
    Optional<ExternalFilesMessage> elsewhere = header.find(ExternalFilesMessage.class);
    if (elsewhere.isPresent()) {
      return new Storage.External(pieces(elsewhere.get()));
    }
    return new Storage.Contiguous(
        FileAddress.isDefined(address) ? Optional.of(address) : Optional.empty());
  }

  private List<ExternalPiece> pieces(ExternalFilesMessage message) {
    LocalHeap names =
        LocalHeap.open(file.tree().source(), file.tree().widths(), message.heapAddress());
    List<ExternalPiece> pieces = new ArrayList<>();
    for (ExternalFilesMessage.Slot slot : message.slots()) {
      long size = slot.size() == ExternalFilesMessage.UNLIMITED ? Long.MAX_VALUE : slot.size();
      pieces.add(
          new ExternalPiece(path.shown(), names.text(slot.nameOffset()), slot.offset(), size));
    }
    return pieces;
  }

  private VirtualParts virtual(VirtualLayout layout, Shape shape) {
    VirtualMappings mappings =
        FileAddress.isDefined(layout.heapAddress())
            ? VirtualMappings.decode(
                file.contents().heapObject(layout.heapAddress(), heapIndex(layout.index())),
                file.tree().widths())
            : VirtualMappings.none();
    for (VirtualMapping mapping : mappings.entries()) {
      VirtualParts.checkRank("virtual", mapping.virtual(), shape);
    }
    return new VirtualParts(mappings, file.sources(), path.shown());
  }

  private static int heapIndex(long index) {
    if (index > 0xffff) {
      throw new FormatException("index of a heap object", "at most 65535", index);
    }
    return (int) index;
  }

  private <T> T required(Optional<T> message, String what) {
    return message.orElseThrow(
        () -> new FormatException("dataset without a message", what, "none"));
  }

  private Optional<MemorySegment> fill(Datatype type) {
    Optional<FillValueMessage> newer = header.find(FillValueMessage.class);
    Optional<Bytes> value =
        newer.isPresent()
            ? newer.get().userValue()
            : header
                .find(OldFillValueMessage.class)
                .map(OldFillValueMessage::value)
                .filter(bytes -> bytes.size() > 0);
    if (value.isPresent() && value.get().size() != type.size()) {
      throw new FormatException("size of the fill value", type.size(), value.get().size());
    }
    return value.map(Bytes::segment);
  }

  private ChunkedDataset chunked(ChunkedLayout layout, Datatype type, Shape shape) {
    Optional<ChunkedDataset> known = file.tree().openDataset(header.address());
    if (known.isPresent()) {
      return known.get();
    }
    ChunkedDataset dataset = chunks(layout, type, shape);
    if (OwnedContent.isPartOf(type) && dataset.format().contentPacking().isEmpty()) {
      Optional<MemorySegment> fill = fill(type);
      dataset.onOverwrite(elements -> LostContent.overwritten(file, type, elements, fill));
    }
    file.tree().opened(dataset, file.collective());
    return dataset;
  }

  private ChunkedDataset chunks(ChunkedLayout layout, Datatype type, Shape shape) {
    if (layout.elementSize() != type.size()) {
      throw new FormatException("element size in the layout", type.size(), layout.elementSize());
    }
    ChunkFormat format = format(layout, type);
    Filtering filtering = isFiltered(layout) ? Filtering.FILTERED : Filtering.UNFILTERED;
    ChunkIndex index =
        ChunkIndexes.open(
            layout,
            shape,
            filtering,
            file.tree().widths(),
            file.tree().format().orders().chunkNodes(),
            file.tree().source());
    return new ChunkedDataset(header.address(), path.shown(), shape, format, index);
  }

  private boolean isFiltered(ChunkedLayout layout) {
    return layout.form().isStructured() ? sections().isFiltered() : !pipeline().isEmpty();
  }

  private FilterPipeline pipeline() {
    return header
        .find(FilterPipelineMessage.class)
        .map(FilterPipelineMessage::pipeline)
        .orElseGet(FilterPipeline::none)
        .withFilterSet(FilterSet.installed());
  }

  private SectionPipelines sections() {
    return header
        .find(SectionPipelineMessage.class)
        .map(SectionPipelineMessage::pipelines)
        .orElseGet(SectionPipelines::none)
        .withFilterSet(FilterSet.installed());
  }

  private ChunkFormat format(ChunkedLayout layout, Datatype type) {
    long[] chunk = layout.chunk().extent();
    if (!layout.form().isStructured()) {
      if (layout.chunkBytes() > LARGEST_CHUNK) {
        throw new UnsupportedFeatureException(
            "dense chunks of 4 GiB and more: bytes=" + layout.chunkBytes(), path.shown());
      }
      DenseChunkFormat dense =
          DenseChunkFormat.of(chunk, type).withPipeline(pipeline().withGrowth(DENSE_GROWTH));
      return fill(type).map(dense::withFill).orElse(dense);
    }
    if (layout.form() == LayoutForm.SPARSE_VARIABLE) {
      return variable(chunk, type);
    }
    SparseChunkFormat sparse =
        SparseChunkFormat.of(chunk, type).withSelectionEncoding(encoding).withPipelines(sections());
    return fill(type).map(sparse::withFill).orElse(sparse);
  }

  private ChunkFormat variable(long[] chunk, Datatype type) {
    int lengths = file.tree().widths().length();
    VariableChunkFormat plain =
        VariableChunkFormat.of(chunk, type, lengths)
            .withSelectionEncoding(encoding)
            .withPipelines(sections());
    VariableChunkFormat format = isDense(header) ? plain.dense() : plain;
    return fill(type).map(value -> format.withFill(withContent(type, value))).orElse(format);
  }

  /**
   * Returns whether every element of a dataset with structured chunks has a value. The layout does
   * not contain this information, but the fill value message does: if fill values are written on
   * allocation, no element is undefined.
   */
  public static boolean isDense(ObjectHeader header) {
    return header
        .find(FillValueMessage.class)
        .filter(fill -> fill.writing() == FillValueMessage.Writing.ON_ALLOCATION)
        .isPresent();
  }

  /** Returns an element of the file packed with its content. */
  private MemorySegment withContent(Datatype type, MemorySegment element) {
    PackedSink sink =
        new PackedSink(_ -> {
          throw new UnsupportedFeatureException("references in a fill value", path.shown());
        });
    return sink.join(
        new ElementTransfer(file.contents(), file.tree().widths(), sink, address -> address)
            .transfer(type, element, 1));
  }
}
