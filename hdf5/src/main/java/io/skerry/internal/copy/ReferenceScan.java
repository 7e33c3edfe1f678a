package io.skerry.internal.copy;

import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.step.LocalStatus;
import io.skerry.datatype.Datatype;
import io.skerry.format.heap.GlobalHeapWriter;
import io.skerry.format.message.dataset.AttributeMessage;
import io.skerry.internal.copy.element.CopyRounds;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.Storage;
import io.skerry.internal.file.NativeFile;
import io.skerry.internal.value.ElementTransfer;
import io.skerry.internal.value.StoredContents;
import io.skerry.selection.Selection;
import io.skerry.value.StoredElements;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.TreeSet;

/** Collects the addresses of the objects to which elements and attributes in a file refer. */
final class ReferenceScan {
  private final NativeFile file;
  private final TreeSet<Long> found = new TreeSet<>();

  /**
   * The first failure to decode elements. The other ranks may read more elements collectively, so
   * this rank must take part in these reads before it reports the failure.
   */
  private final LocalStatus status = new LocalStatus();

  ReferenceScan(NativeFile file) {
    this.file = file;
  }

  /**
   * Returns the addresses found so far. Local.
   *
   * @throws RuntimeException if elements could not be decoded on this rank
   */
  TreeSet<Long> found() {
    status
        .failure()
        .ifPresent(failure -> {
          throw failure;
        });
    return found;
  }

  /** Adds the addresses of the objects to which a fill value refers. */
  void targets(Set<Long> addresses) {
    found.addAll(addresses);
  }

  void attribute(AttributeMessage attribute) {
    Datatype type = attribute.datatype().datatype();
    if (ElementTransfer.refersToObjects(type)) {
      collect(
          type,
          new StoredElements(attribute.data().segment(), file.contents()),
          attribute.dataspace().elements());
    }
  }

  /**
   * Collects the addresses in the elements of a dataset. Collective.
   *
   * @param share the part of the elements that this rank reads
   */
  void elements(NativeDataset dataset, CopyRounds.Share share) {
    if (dataset.isNull() || !ElementTransfer.refersToObjects(dataset.datatype())) {
      return;
    }
    CopyRounds rounds = new CopyRounds(dataset, share);
    if (dataset.opened() instanceof Storage.Chunked(ChunkedDataset chunks)) {
      rounds.chunks(chunks.grid(), CopyRounds.Coverage.STORED, part -> read(dataset, part));
    } else {
      rounds.runs(run -> read(dataset, run.selection()));
    }
  }

  private void read(NativeDataset dataset, Selection part) {
    StoredElements read = dataset.readElements(part);
    status.attempt(() ->
        collect(dataset.datatype(), read, read.packed().byteSize() / dataset.datatype().size()));
  }

  private void collect(Datatype type, StoredElements elements, long count) {
    ElementTransfer listening =
        new ElementTransfer(
            StoredContents.of(elements.contents()),
            file.tree().widths(),
            _ -> new GlobalHeapWriter.Reference(0, 0),
            address -> {
              found.add(address);
              return address;
            });
    MemorySegment unused = listening.transfer(type, elements.packed(), count);
  }
}
