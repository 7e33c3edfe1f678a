package io.skerry.internal.dataset;

import io.skerry.StorageInfo;
import io.skerry.chunk.content.ContentPacking;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.trust.ReferencedFiles;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.Bytes;
import io.skerry.format.block.FileAddress;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.layout.CompactLayout;
import io.skerry.format.layout.ContiguousLayout;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.parallel.UntrustedFileException;
import io.skerry.spi.ObjectPath;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The storage of the elements of a dataset. */
public sealed interface Storage {
  /** Returns the storage with the block or the bytes that the object header now describes. */
  default Storage at(ObjectHeader header) {
    return switch (header.require(LayoutMessage.class)) {
      case CompactLayout(Bytes data) -> new Compact(data.segment());
      case ContiguousLayout contiguous -> Contiguous.of(contiguous);
      default -> this;
    };
  }

  /**
   * Returns the chunks.
   *
   * @param what the operation, for the message if the dataset is not chunked
   * @param path the path of the dataset, for the message
   */
  default ChunkedDataset chunked(String what, ObjectPath path) {
    if (this instanceof Chunked(ChunkedDataset dataset)) {
      return dataset;
    }
    throw new UnsupportedFeatureException(what, path.shown());
  }

  /**
   * Returns true if elements may be undefined. The sources of a virtual dataset are opened with
   * exclusive access to the file.
   *
   * @param file the file of the dataset
   */
  default boolean isSparse(HdfFile file) {
    return switch (this) {
      case Chunked(ChunkedDataset dataset) ->
          dataset.format().definedness() == ChunkFormat.Definedness.WRITTEN;
      case Virtual(VirtualContent content) -> file.gate().exclusively(content::isSparse);
      case Contiguous _, External _, Compact _ -> false;
    };
  }

  /**
   * Returns the form in which chunks store variable-length contents; empty if no such contents are
   * in the chunks.
   */
  default Optional<ContentPacking> packing() {
    return this instanceof Chunked(ChunkedDataset dataset)
        ? dataset.format().contentPacking()
        : Optional.empty();
  }

  /**
   * Returns the space that the elements occupy in files: the chunks and their index, a contiguous
   * block, or external files. It is 0 for compact and virtual storage.
   *
   * @param file the file from which chunk indexes are read
   * @param elementBytes a supplier of the total size of the elements in bytes
   */
  default StorageInfo.Usage usage(HdfFile file, LongSupplier elementBytes) {
    return switch (this) {
      case Chunked(ChunkedDataset dataset) ->
          StorageReport.usage(dataset.index(), file.tree().source());
      case Contiguous(Optional<Long> block) ->
          new StorageInfo.Usage(0, block.isPresent() ? elementBytes.getAsLong() : 0, 0);
      case External _ -> new StorageInfo.Usage(0, elementBytes.getAsLong(), 0);
      case Compact _, Virtual _ -> new StorageInfo.Usage(0, 0, 0);
    };
  }

  /**
   * Returns the reasons why the policy refuses files that contain elements, without duplicates.
   *
   * @param file the file that names those files
   */
  default List<String> refusedFiles(HdfFile file) {
    ReferencedFiles others = file.collective().others();
    Stream<UntrustedFileException> refusals =
        switch (this) {
          case External(List<ExternalPiece> pieces) ->
              pieces.stream().flatMap(piece -> piece.refusal(others).stream());
          case Virtual(VirtualContent content) -> content.refusals().stream();
          case Chunked _, Contiguous _, Compact _ -> Stream.of();
        };
    return refusals.map(refusal -> String.valueOf(refusal.getMessage())).distinct().toList();
  }

  /**
   * Returns the other files that contain elements, and the file of the dataset if it contains a
   * source of a virtual dataset. Omits files that do not exist or that the policy refuses. The
   * sources of a virtual dataset are opened with exclusive access to the file.
   *
   * @param file the file of the dataset
   */
  default Set<Path> elementFiles(HdfFile file) {
    ReferencedFiles others = file.collective().others();
    return switch (this) {
      case External(List<ExternalPiece> pieces) ->
          pieces.stream().flatMap(piece -> piece.file(others).stream()).collect(Collectors.toSet());
      case Virtual(VirtualContent content) -> file.gate().exclusively(content::elementFiles);
      case Chunked _, Contiguous _, Compact _ -> Set.of();
    };
  }

  /** Dense or sparse chunks. */
  record Chunked(ChunkedDataset dataset) implements Storage {}

  /**
   * One contiguous block.
   *
   * @param address the address of the block; empty if it has not been allocated
   */
  record Contiguous(Optional<Long> address) implements Storage {
    /** Returns the block that a layout message describes. */
    public static Contiguous of(ContiguousLayout layout) {
      return new Contiguous(
          FileAddress.isDefined(layout.address())
              ? Optional.of(layout.address())
              : Optional.empty());
    }
  }

  /**
   * Pieces of other files.
   *
   * @param pieces the pieces, in the order of the elements that they contain
   */
  record External(List<ExternalPiece> pieces) implements Storage {
    public External {
      pieces = List.copyOf(pieces);
    }
  }

  /** Parts of other datasets. */
  record Virtual(VirtualContent content) implements Storage {}

  /** Bytes in the object header. */
  record Compact(MemorySegment data) implements Storage {}
}
