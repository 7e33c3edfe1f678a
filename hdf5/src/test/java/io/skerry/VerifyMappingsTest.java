package io.skerry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.datatype.Datatype;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Verifies virtual datasets whose mappings do not fit, or whose sources are missing. */
class VerifyMappingsTest {
  @TempDir Path folder;

  private final List<String> findings = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  private void source(String name, Shape shape) {
    try (H5File file = H5File.create(folder.resolve(name))) {
      Dataset unused = file.createDataset("/d", DatasetSpec.of(Datatype.I32, shape));
    }
  }

  private void verify(VirtualLayout.Builder layout) {
    Path path = folder.resolve("v.h5");
    try (H5File file = H5File.create(path)) {
      Dataset unused =
          file.createDataset(
              "/v", DatasetSpec.of(Datatype.I32, Shape.of(3, 4)).virtual(layout.build()));
    }
    SpaceReport unused =
        Verification.of(
            path,
            new Verification.Watcher() {
              @Override
              public void finding(Verification.Finding finding) {
                findings.add(finding.toString());
              }

              @Override
              public void note(Verification.Finding note) {
                notes.add(note.toString());
              }
            });
  }

  private static Selection row(long row) {
    return Selection.at(row, 0).extent(1, 4);
  }

  @Test
  void missing_sources_are_noted_once_and_are_no_findings() {
    source("a.h5", Shape.of(4));
    verify(
        VirtualLayout.builder()
            .map(row(0), VirtualSource.of("a.h5", "/d"))
            .map(row(1), VirtualSource.of("b.h5", "/d"))
            .map(row(2), VirtualSource.of("b.h5", "/d")));
    assertEquals(List.of(), findings);
    assertEquals(1, notes.size(), notes.toString());
    assertTrue(
        notes.getFirst().contains("missing source: expected=a dataset at b.h5:/d actual=none"),
        notes.toString());
  }

  @Test
  void mappings_that_do_not_fit_their_sources_are_findings() {
    source("short.h5", Shape.of(3));
    source("flat.h5", Shape.of(2, 3));
    verify(
        VirtualLayout.builder()
            .map(row(0), VirtualSource.of("short.h5", "/d"))
            .map(row(1), VirtualSource.of("short.h5", "/d").select(Selection.at(0).extent(4)))
            .map(row(2), VirtualSource.of("flat.h5", "/d").select(Selection.at(0).extent(4))));
    assertEquals(List.of(), notes);
    assertEquals(3, findings.size(), findings.toString());
    assertTrue(findings.get(0).contains("expected=4 actual=3"), findings.toString());
    assertTrue(findings.get(1).contains("at most 3 actual=4"), findings.toString());
    assertTrue(findings.get(2).contains("rank of the source selection"), findings.toString());
  }
}
