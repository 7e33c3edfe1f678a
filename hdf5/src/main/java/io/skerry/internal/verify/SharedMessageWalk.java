package io.skerry.internal.verify;

import io.skerry.SpaceReport;
import io.skerry.format.block.Block;
import io.skerry.format.block.FileAddress;
import io.skerry.format.btree.BTree2;
import io.skerry.format.file.FormatFile;
import io.skerry.format.heap.FractalHeap;
import io.skerry.format.message.SharedTableMessage;
import io.skerry.format.shared.SharedMessageList;
import io.skerry.format.shared.SharedMessageRecord;
import io.skerry.format.shared.SharedMessageTable;
import io.skerry.spi.ObjectPath;
import java.util.List;

/** Verifies the table of shared object header messages: its indexes and their heaps. */
final class SharedMessageWalk {
  private static final String STRUCTURE = "shared message table";

  private final FormatFile format;
  private final Findings findings;
  private final SpaceClaims claims;

  SharedMessageWalk(FormatFile format, Findings findings, SpaceClaims claims) {
    this.format = format;
    this.findings = findings;
    this.claims = claims;
  }

  void check(SharedTableMessage message, SharedMessageTable table) {
    claim(
        List.of(
            new Block(
                message.tableAddress(),
                SharedMessageTable.size(message.indexes(), format.widths()))));
    for (SharedMessageTable.Index index : table.indexes()) {
      if (FileAddress.isDefined(index.indexAddress())) {
        findings.check(
            new Findings.Place(index.indexAddress(), STRUCTURE), () -> claim(blocks(index)));
      }
      if (FileAddress.isDefined(index.heapAddress())) {
        findings.check(
            new Findings.Place(index.heapAddress(), STRUCTURE),
            () ->
                claim(
                    FractalHeap.open(format.source(), format.widths(), index.heapAddress())
                        .blocks()));
      }
    }
  }

  private void claim(List<Block> blocks) {
    claims.add(SpaceReport.Kind.SHARED_MESSAGES, ObjectPath.ROOT, blocks);
  }

  private List<Block> blocks(SharedMessageTable.Index index) {
    return switch (index.form()) {
      case TREE -> BTree2.open(format.source(), format.widths(), index.indexAddress()).blocks();
      case LIST -> {
        var unused = SharedMessageList.read(format.source(), format.widths(), index);
        long room = (long) index.longestList() * SharedMessageRecord.size(format.widths());
        yield List.of(new Block(index.indexAddress(), 8 + room));
      }
    };
  }
}
