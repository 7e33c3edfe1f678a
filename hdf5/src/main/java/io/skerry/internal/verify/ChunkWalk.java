package io.skerry.internal.verify;

import io.skerry.SpaceReport;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.format.block.Block;
import io.skerry.format.block.ByteSource;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.format.layout.ChunkIndexKind;
import io.skerry.internal.dataset.open.ChunkedOpener;
import io.skerry.internal.file.NativeFile;
import io.skerry.spi.ObjectPath;
import java.util.Arrays;
import java.util.List;

/** Verifies the chunk index of a dataset, and each chunk in it. */
final class ChunkWalk {
  private final NativeFile file;
  private final ByteSource source;
  private final Findings findings;
  private final SpaceClaims claims;
  private final ChunkCheck chunkCheck;

  ChunkWalk(NativeFile file, Findings findings, SpaceClaims claims, ValueWalk values) {
    this.file = file;
    this.source = file.tree().source();
    this.findings = findings;
    this.claims = claims;
    this.chunkCheck = new ChunkCheck(source, values);
  }

  void check(ObjectHeader header, ObjectPath path) {
    ChunkedDataset dataset = ChunkedOpener.unshared(file, path, header);
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
      // If the extent of a dataset with a single chunk shrinks to zero elements, HDF5 frees the
      // chunk, but does not clear its address.
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
                      findings.check(chunk, () -> chunkCheck.check(dataset, scaled, record));
                    });
    if (whole) {
      findings.check(at, records);
    } else {
      // Only the records before the defect are verified; the defect was reported above.
      Findings.discarding(records);
    }
  }

  private void claim(ChunkRecord record, ObjectPath path) {
    claims.add(
        SpaceReport.Kind.CHUNK,
        path,
        List.of(new Block(record.address(), record.sections().size())));
  }
}
