package io.skerry.internal.dataset.open;

import io.skerry.format.message.dataset.ExternalFilesMessage;
import io.skerry.format.symboltable.LocalHeap;
import io.skerry.internal.dataset.ExternalPiece;
import io.skerry.internal.dataset.HdfFile;
import io.skerry.internal.dataset.Storage;
import io.skerry.spi.ObjectPath;
import java.util.ArrayList;
import java.util.List;

/** Opens external storage: reads the names of the external files and the ranges of each file. */
record ExternalOpener(HdfFile file, ObjectPath path) {
  Storage.External open(ExternalFilesMessage message) {
    LocalHeap names =
        LocalHeap.open(file.tree().source(), file.tree().widths(), message.heapAddress());
    List<ExternalPiece> pieces = new ArrayList<>();
    for (ExternalFilesMessage.Slot slot : message.slots()) {
      long size = slot.size() == ExternalFilesMessage.UNLIMITED ? Long.MAX_VALUE : slot.size();
      pieces.add(
          new ExternalPiece(path.shown(), names.text(slot.nameOffset()), slot.offset(), size));
    }
    return new Storage.External(pieces);
  }
}
