package io.skerry.internal.copy;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.internal.copy.element.CopiedDataset;
import io.skerry.internal.copy.element.CopyRounds;
import io.skerry.internal.file.NativeFile;
import io.skerry.internal.file.ObjectLocation;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.Operation;
import java.util.List;
import java.util.TreeSet;

/**
 * Finds the targets of references in copied datasets, fill values and attributes, and adds them to
 * the copy, until no new target is found. The ranks divide the reading among themselves and
 * exchange the addresses that they find. Collective.
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
    CopiedObjects copied = tree.objects();
    while (datasetsSeen < tree.datasets().size() || objectsSeen < copied.addresses().size()) {
      ReferenceScan scan = new ReferenceScan(source);
      List<ObjectLocation> objects = List.copyOf(copied.addresses().keySet());
      List<CopiedDataset> datasets = List.copyOf(tree.datasets());
      for (CopiedDataset dataset : datasets.subList(datasetsSeen, datasets.size())) {
        elements(dataset, scan);
      }
      List<ObjectLocation> fresh = objects.subList(objectsSeen, objects.size());
      datasetsSeen = datasets.size();
      objectsSeen = objects.size();
      int before = copied.addresses().size();
      int added =
          target
              .collective()
              .steps()
              .together(
                  Operation.COPY,
                  "references",
                  () -> {
                    fresh.forEach(object -> attributesAndFill(object, scan));
                    ByteWriter message = ByteWriter.create();
                    scan.found().forEach(message::u64);
                    return message;
                  },
                  this::addAll);
      if (added == before) {
        return;
      }
    }
  }

  private void elements(CopiedDataset work, ReferenceScan scan) {
    if (work.from().file() == source) {
      Communicator ranks = target.collective().ranks();
      scan.elements(work.dataset(), new CopyRounds.Share(ranks.rank(), ranks.size()));
    }
  }

  private void attributesAndFill(ObjectLocation object, ReferenceScan scan) {
    if (object.file() == source) {
      scan.targets(tree.fills().targets(object));
      tree.attributes().of(object).forEach(scan::attribute);
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
    return tree.objects().addresses().size();
  }
}
