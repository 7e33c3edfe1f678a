package io.skerry.internal.verify;

import io.skerry.exception.FormatException;
import io.skerry.format.block.FileAddress;
import io.skerry.format.vds.VirtualMappings;
import io.skerry.internal.dataset.virtual.MappedContent;
import io.skerry.internal.file.NativeFile;
import io.skerry.selection.Shape;
import io.skerry.spi.ObjectPath;
import java.lang.foreign.MemorySegment;

/**
 * Verifies the mappings of a virtual dataset: that the policy accepts the source files, and that
 * the selections fit the dataset, its sources, and each other. A missing source is reported as a
 * note, not as a finding.
 */
final class VirtualSourceWalk {
  private final NativeFile file;
  private final Findings findings;
  private final ValueWalk values;

  VirtualSourceWalk(NativeFile file, Findings findings, ValueWalk values) {
    this.file = file;
    this.findings = findings;
    this.values = values;
  }

  /**
   * Verifies a virtual dataset.
   *
   * @param heap the address of the global heap collection with the mappings; undefined if there are
   *     none
   * @param index the index of the heap object with the mappings
   * @param stored the extent of the dataset as stored
   */
  void check(long heap, long index, Shape stored, ObjectPath path) {
    if (!FileAddress.isDefined(heap)) {
      return;
    }
    if (index < 1 || index > 0xffff) {
      throw new FormatException("index of a heap object", "1 to 65535", index);
    }
    MemorySegment object = values.heapObject(heap, (int) index);
    VirtualMappings mappings = VirtualMappings.decode(object, file.tree().widths());
    Findings.Place at = new Findings.Place(heap, "virtual source", path);
    MappedContent content = new MappedContent(mappings, file, path.shown(), heap);
    content.refusals().forEach(refusal -> findings.add(at, refusal));
    boolean unused =
        findings.check(
            at,
            () -> {
              content.checkRanks(stored);
              content.examine(
                  stored,
                  failure -> findings.add(at, failure),
                  (missing, reason) ->
                      findings.note(at, "missing source", "a dataset at " + missing, reason));
            });
  }
}
