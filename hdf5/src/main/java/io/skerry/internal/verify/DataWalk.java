package io.skerry.internal.verify;

import io.skerry.SpaceReport;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.bytes.MemoryLimit;
import io.skerry.chunk.content.PackedContent;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.datatype.Datatype;
import io.skerry.exception.FormatException;
import io.skerry.format.Bytes;
import io.skerry.format.block.Block;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.FileAddress;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.format.layout.ChunkIndexKind;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.CompactLayout;
import io.skerry.format.layout.ContiguousLayout;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.layout.VirtualLayout;
import io.skerry.format.message.dataset.DataspaceMessage;
import io.skerry.format.message.dataset.DatatypeMessage;
import io.skerry.format.message.dataset.ExternalFilesMessage;
import io.skerry.format.symboltable.LocalHeap;
import io.skerry.format.vds.VirtualMappings;
import io.skerry.internal.dataset.DatasetOpener;
import io.skerry.internal.dataset.ExternalPiece;
import io.skerry.internal.dataset.VirtualParts;
import io.skerry.internal.file.NativeFile;
import io.skerry.selection.Shape;
import io.skerry.spi.ObjectPath;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Verifies the storage of the elements of a dataset. */
final class DataWalk {
  private static final int PART_BYTES = 1 << 20;

  private final NativeFile file;
  private final ByteSource source;
  private final Findings findings;
  private final SpaceClaims claims;
  private final ValueWalk values;

  DataWalk(NativeFile file, Findings findings, SpaceClaims claims, ValueWalk values) {
    this.file = file;
    this.source = file.tree().source();
    this.findings = findings;
    this.claims = claims;
    this.values = values;
  }

  /**
   * Verifies a dataset.
   *
   * @param header a header with a layout
   */
  void check(ObjectHeader header, ObjectPath path) {
    Findings.Place at = new Findings.Place(header.address(), "dataset", path);
    findings.check(
        at,
        () -> {
          Datatype type = header.require(DatatypeMessage.class).datatype();
          long elements = header.require(DataspaceMessage.class).elements();
          if (elements > Long.MAX_VALUE / type.size()) {
            throw new FormatException("bytes of a dataset", "below 2^63", elements + " elements");
          }
          switch (header.require(LayoutMessage.class)) {
            case ChunkedLayout _ -> chunks(header, path);
            case CompactLayout(Bytes data) -> compact(data, type, elements);
            case ContiguousLayout(long address, long size) -> {
              Optional<ExternalFilesMessage> elsewhere = header.find(ExternalFilesMessage.class);
              if (elsewhere.isPresent()) {
                external(elsewhere.get(), path);
              } else if (FileAddress.isDefined(address) && elements > 0) {
                contiguous(new Block(address, size), type, elements, path);
              }
            }
            case VirtualLayout(long heap, long index) -> virtual(heap, index, path);
          }
        });
  }

  private void compact(Bytes data, Datatype type, long elements) {
    if (data.size() < elements * type.size()) {
      throw new FormatException(
          "bytes of compact data", "at least " + elements * type.size(), data.size());
    }
    values.follow(type, data.segment(), elements);
  }

  private void contiguous(Block block, Datatype type, long elements, ObjectPath path) {
    claims.add(SpaceReport.Kind.CONTIGUOUS, path, List.of(block));
    Findings.Place at =
        new Findings.Place(block.address(), SpaceReport.Kind.CONTIGUOUS.text(), path);
    long bytes = elements * type.size();
    if (block.length() < bytes) {
      findings.add(at, "bytes of contiguous data", "at least " + bytes, block.length());
      return;
    }
    if (block.end() > source.size()) {
      findings.add(
          at,
          "contiguous data beyond the end of the file",
          "an end of at most 0x" + Long.toHexString(source.size()),
          "0x" + Long.toHexString(block.end()));
      return;
    }
    if (ValueWalk.leadElsewhere(type)) {
      long part = Math.max(1, PART_BYTES / type.size());
      for (long done = 0; done < elements; done += part) {
        long first = block.address() + done * type.size();
        long count = Math.min(part, elements - done);
        findings.check(
            at, () -> values.follow(type, source.read(first, count * type.size()), count));
      }
    }
  }

  private void external(ExternalFilesMessage message, ObjectPath path) {
    LocalHeap names = LocalHeap.open(source, file.tree().widths(), message.heapAddress());
    List<Block> blocks = new ArrayList<>(List.of(names.header()));
    if (names.dataSize() > 0) {
      blocks.add(new Block(names.dataAddress(), names.dataSize()));
    }
    claims.add(SpaceReport.Kind.EXTERNAL_NAMES, path, blocks);
    Findings.Place at = new Findings.Place(message.heapAddress(), "external file", path);
    for (ExternalFilesMessage.Slot slot : message.slots()) {
      findings.check(
          at,
          () -> {
            ExternalPiece piece =
                new ExternalPiece(path.shown(), names.text(slot.nameOffset()), slot.offset(), 0);
            piece.read(0, MemorySegment.ofArray(new byte[0]), file.collective().others());
          });
    }
  }

  private void virtual(long heap, long index, ObjectPath path) {
    if (!FileAddress.isDefined(heap)) {
      return;
    }
    if (index < 1 || index > 0xffff) {
      throw new FormatException("index of a heap object", "1 to 65535", index);
    }
    MemorySegment object = values.heapObject(heap, (int) index);
    VirtualMappings mappings = VirtualMappings.decode(object, file.tree().widths());
    Findings.Place at = new Findings.Place(heap, "virtual source", path);
    new VirtualParts(mappings, file.sources(), path.shown())
        .refusals()
        .forEach(refusal -> findings.add(at, refusal));
  }

  private void chunks(ObjectHeader header, ObjectPath path) {
    ChunkedDataset dataset = DatasetOpener.unshared(file, path, header);
    boolean implicit = dataset.index().kind() == ChunkIndexKind.IMPLICIT;
    Findings.Place at =
        new Findings.Place(header.address(), SpaceReport.Kind.CHUNK_INDEX.text(), path);
    boolean whole =
        findings.check(
            at,
            () ->
                claims.add(
                    implicit ? SpaceReport.Kind.CHUNK : SpaceReport.Kind.CHUNK_INDEX,
                    path,
                    dataset.index().blocks(source)));
    if (dataset.index().kind() == ChunkIndexKind.SINGLE && dataset.shape().elements() == 0) {
      // HDF5 frees the chunk of a dataset that shrinks to no elements, and does not clear its
      // address.
      return;
    }
    Runnable records =
        () ->
            dataset
                .index()
                .forEachRecord(
                    source,
                    (scaled, record) -> {
                      Findings.Place chunk =
                          new Findings.Place(
                              record.address(), "chunk " + Arrays.toString(scaled), path);
                      if (!implicit) {
                        findings.check(chunk, () -> claim(record, path));
                      }
                      findings.check(chunk, () -> chunk(dataset, scaled, record));
                    });
    if (whole) {
      findings.check(at, records);
    } else {
      anyway(records);
    }
  }

  /**
   * Runs a step without reporting its failure: the step verifies the part before a defect that was
   * already reported.
   */
  private static void anyway(Runnable step) {
    new Findings(_ -> {}).check(new Findings.Place(0, ""), step);
  }

  private void claim(ChunkRecord record, ObjectPath path) {
    claims.add(
        SpaceReport.Kind.CHUNK,
        path,
        List.of(new Block(record.address(), record.sections().size())));
  }

  private void chunk(ChunkedDataset dataset, long[] scaled, ChunkRecord record) {
    ChunkCoordinates point = ChunkCoordinates.of(scaled);
    if (!dataset.isInside(point)) {
      checkReachable(dataset, scaled);
      return;
    }
    ChunkFormat format = dataset.format(point);
    requireMemory(format);
    MemorySegment bytes = source.read(record.address(), record.sections().size());
    MemoryChunk chunk = format.decode(new ChunkImage(bytes, record.sections().checked()));
    if (ValueWalk.leadElsewhere(format.datatype())) {
      MemoryChunk inside = format.clip(chunk, dataset.grid().valid(scaled, dataset.shape()));
      RunSet defined = format.defined(inside, RunSet.range(0, format.elements()));
      MemorySegment packed =
          format.readPacked(inside, defined, (size, _) -> HeapBytes.allocate(size));
      long count = defined.count();
      format
          .contentPacking()
          .ifPresentOrElse(
              packing ->
                  values.follow(
                      format.datatype(), PackedContent.split(packed, packing.bytes(count)), count),
              () -> values.follow(format.datatype(), packed, count));
    }
  }

  /** Rejects a chunk that does not fit into the heap, before any memory for it is allocated. */
  private static void requireMemory(ChunkFormat format) {
    if (format.definedness() == ChunkFormat.Definedness.ALL) {
      long bytes = Math.multiplyExact(format.elements(), (long) format.datatype().size());
      MemoryLimit.require(2, bytes, () -> "checking a chunk");
    }
  }

  /**
   * Rejects a chunk that no valid file contains. Chunks outside the extent are valid up to a finite
   * maximum extent: HDF5 allocates them in advance. Their content is undefined.
   */
  private static void checkReachable(ChunkedDataset dataset, long[] scaled) {
    Shape shape = dataset.shape();
    long[] chunk = dataset.grid().sizes();
    for (int d = 0; d < shape.rank(); d++) {
      boolean open = shape.maximum(d) == Shape.UNLIMITED;
      long end = open ? shape.extent(d) : shape.maximum(d);
      if (scaled[d] > (end - 1) / chunk[d] || end == 0) {
        throw new FormatException(
            "chunk outside the dataset", "inside " + shape, Arrays.toString(scaled));
      }
    }
  }
}
