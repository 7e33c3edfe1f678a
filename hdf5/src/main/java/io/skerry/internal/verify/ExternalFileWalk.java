package io.skerry.internal.verify;

import io.skerry.SpaceReport;
import io.skerry.format.block.Block;
import io.skerry.format.message.dataset.ExternalFilesMessage;
import io.skerry.format.symboltable.LocalHeap;
import io.skerry.internal.dataset.ExternalPiece;
import io.skerry.internal.file.NativeFile;
import io.skerry.mpi.MpiException;
import io.skerry.spi.ObjectPath;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Verifies the names of the external files of a dataset, and that the files can be opened. */
final class ExternalFileWalk {
  private final NativeFile file;
  private final Findings findings;
  private final SpaceClaims claims;

  ExternalFileWalk(NativeFile file, Findings findings, SpaceClaims claims) {
    this.file = file;
    this.findings = findings;
    this.claims = claims;
  }

  void check(ExternalFilesMessage message, ObjectPath path) {
    LocalHeap names =
        LocalHeap.open(file.tree().source(), file.tree().widths(), message.heapAddress());
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
            String name = names.text(slot.nameOffset());
            open(new ExternalPiece(path.shown(), name, slot.offset(), 0), at);
          });
    }
  }

  /**
   * Opens an external data file. A failure is reported as a finding, whereas a failure to read the
   * HDF5 file itself ends the verification.
   */
  private void open(ExternalPiece piece, Findings.Place at) {
    try {
      piece.read(0, MemorySegment.ofArray(new byte[0]), file.collective().others());
    } catch (MpiException e) {
      findings.add(at, "external data file", "a readable file named " + piece.name(), e.text());
    }
  }
}
