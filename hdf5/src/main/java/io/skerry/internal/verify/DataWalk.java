package io.skerry.internal.verify;

import io.skerry.datatype.Datatype;
import io.skerry.exception.FormatException;
import io.skerry.format.Bytes;
import io.skerry.format.block.Block;
import io.skerry.format.block.FileAddress;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.CompactLayout;
import io.skerry.format.layout.ContiguousLayout;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.layout.VirtualLayoutMessage;
import io.skerry.format.message.dataset.DataspaceMessage;
import io.skerry.format.message.dataset.DatatypeMessage;
import io.skerry.format.message.dataset.ExternalFilesMessage;
import io.skerry.internal.file.NativeFile;
import io.skerry.spi.ObjectPath;
import java.util.Optional;

/** Verifies the storage of the elements of a dataset, according to its layout. */
final class DataWalk {
  private final Findings findings;
  private final ValueWalk values;
  private final ChunkWalk chunks;
  private final ContiguousWalk contiguous;
  private final ExternalFileWalk external;
  private final VirtualSourceWalk virtual;

  DataWalk(NativeFile file, Findings findings, SpaceClaims claims, ValueWalk values) {
    this.findings = findings;
    this.values = values;
    this.chunks = new ChunkWalk(file, findings, claims, values);
    this.contiguous = new ContiguousWalk(file.tree().source(), findings, claims, values);
    this.external = new ExternalFileWalk(file, findings, claims);
    this.virtual = new VirtualSourceWalk(file, findings, values);
  }

  /**
   * Verifies a dataset.
   *
   * @param header the header of the dataset
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
            case ChunkedLayout _ -> chunks.check(header, path);
            case CompactLayout(Bytes data) -> compact(data, type, elements);
            case ContiguousLayout(long address, long size) -> {
              Optional<ExternalFilesMessage> elsewhere = header.find(ExternalFilesMessage.class);
              if (elsewhere.isPresent()) {
                external.check(elsewhere.get(), path);
              } else if (FileAddress.isDefined(address) && elements > 0) {
                contiguous.check(new Block(address, size), type, elements, path);
              }
            }
            case VirtualLayoutMessage(long heap, long index) ->
                virtual.check(heap, index, header.require(DataspaceMessage.class).shape(), path);
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
}
