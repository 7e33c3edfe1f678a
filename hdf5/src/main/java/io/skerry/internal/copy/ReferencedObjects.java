package io.skerry.internal.copy;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.datatype.Datatype;
import io.skerry.format.heap.GlobalHeapWriter;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.message.dataset.AttributeMessage;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.file.NativeFile;
import io.skerry.internal.file.ObjectLocation;
import io.skerry.internal.value.ElementTransfer;
import io.skerry.internal.value.StoredContents;
import io.skerry.parallel.Operation;
import io.skerry.selection.Selection;
import io.skerry.value.StoredElements;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.TreeSet;

/**
 * Finds the targets of references in copied datasets and attributes, and adds them to the copy,
 * until there is no new target. The ranks share the reading and exchange the addresses. Collective.
 */
final class ReferencedObjects {
  private final NativeFile source;
  private final NativeFile target;
  private final CopyTree tree;
  private int datasetsSeen;
  private int objectsSeen;

  ReferencedObjects(NativeFile source, NativeFile target, CopyTree tree) {
    this.source = source;
    this.target = target;
    this.tree = tree;
  }

  void add() {
    while (datasetsSeen < tree.datasets().size() || objectsSeen < tree.addresses().size()) {
      TreeSet<Long> mine = new TreeSet<>();
      List<ObjectLocation> objects = List.copyOf(tree.addresses().keySet());
      List<CopiedDataset> datasets = List.copyOf(tree.datasets());
      for (CopiedDataset dataset : datasets.subList(datasetsSeen, datasets.size())) {
        elements(dataset, mine);
      }
      List<ObjectLocation> fresh = objects.subList(objectsSeen, objects.size());
      datasetsSeen = datasets.size();
      objectsSeen = objects.size();
      int before = tree.addresses().size();
      int added =
          target
              .collective()
              .steps()
              .together(
                  Operation.COPY,
                  "references",
                  () -> {
                    fresh.forEach(object -> attributes(object, mine));
                    ByteWriter message = ByteWriter.create();
                    mine.forEach(message::u64);
                    return message;
                  },
                  this::addAll);
      if (added == before) {
        return;
      }
    }
  }

  private int addAll(List<ByteReader> messages) {
    TreeSet<Long> found = new TreeSet<>();
    for (ByteReader message : messages) {
      while (message.remaining() > 0) {
        found.add(message.i64());
      }
    }
    for (long address : found) {
      if (source.contents().isObject(address)) {
        long unused =
            tree.add(
                new ObjectLocation(source, address), "(referenced) 0x" + Long.toHexString(address));
      }
    }
    return tree.addresses().size();
  }

  private void attributes(ObjectLocation object, TreeSet<Long> found) {
    if (object.file() != source) {
      return;
    }
    for (AttributeMessage attribute : tree.attributes(object)) {
      Datatype type = attribute.datatype().datatype();
      if (ElementTransfer.refersToObjects(type)) {
        collect(
            type,
            new StoredElements(attribute.data().segment(), source.contents()),
            attribute.dataspace().elements(),
            found);
      }
    }
  }

  private void elements(CopiedDataset work, TreeSet<Long> found) {
    NativeDataset dataset = work.dataset();
    if (work.from().file() != source
        || dataset.isNull()
        || !ElementTransfer.refersToObjects(dataset.datatype())) {
      return;
    }
    CopyRounds rounds =
        new CopyRounds(
            dataset,
            new CopyRounds.Share(
                target.collective().ranks().rank(), target.collective().ranks().size()));
    if (dataset.header().require(LayoutMessage.class) instanceof ChunkedLayout layout) {
      rounds.chunks(
          io.skerry.chunk.dataspace.grid.ChunkGrid.of(layout.chunk().extent()),
          CopyRounds.Coverage.STORED,
          part -> read(dataset, part, found));
    } else {
      rounds.runs(run -> read(dataset, run.selection(), found));
    }
  }

  private void read(NativeDataset dataset, Selection part, TreeSet<Long> found) {
    StoredElements read = dataset.readElements(part);
    collect(dataset.datatype(), read, read.packed().byteSize() / dataset.datatype().size(), found);
  }

  private void collect(Datatype type, StoredElements elements, long count, TreeSet<Long> found) {
    ElementTransfer listening =
        new ElementTransfer(
            StoredContents.of(elements.contents()),
            source.tree().widths(),
            _ -> new GlobalHeapWriter.Reference(0, 0),
            address -> {
              found.add(address);
              return address;
            });
    MemorySegment unused = listening.transfer(type, elements.packed(), count);
  }
}
