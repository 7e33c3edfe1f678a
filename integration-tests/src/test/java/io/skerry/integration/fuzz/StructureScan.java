package io.skerry.integration.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Finds the structures of a file by their signatures, and object headers of version 1. */
final class StructureScan {
  private static final Map<String, String> FIELDS =
      Map.ofEntries(
          Map.entry("TREE", "type:t1 level:c1 used:c2 left:aO right:aO key:lL child:aO key:lL"),
          Map.entry("SNOD", "version:v1 reserved:u1 count:c2 name:lO header:aO cache:t4"),
          Map.entry("HEAP", "version:v1 reserved:u3 size:lL free:lL data:aO"),
          Map.entry("GCOL", "version:v1 reserved:u3 size:lL"),
          Map.entry(
              "BTHD",
              "version:v1 type:t1 node:l4 record:l2 depth:c2 split:c1 merge:c1 root:aO used:c2"
                  + " total:cL"),
          Map.entry("BTIN", "version:v1 type:t1"),
          Map.entry("BTLF", "version:v1 type:t1"),
          Map.entry(
              "FRHP",
              "version:v1 id:l2 filters:l2 flags:f1 managed:l4 huge:cL tree:aO free:lL space:aO"
                  + " managed:lL allocated:lL iterator:lL objects:cL hugeBytes:lL hugeCount:cL"
                  + " tinyBytes:lL tinyCount:cL width:c2 start:lL direct:lL heap:c2 rows:c2"
                  + " root:aO current:c2"),
          Map.entry("FHDB", "version:v1 header:aO offset:l4"),
          Map.entry("FHIB", "version:v1 header:aO offset:l4 child:aO child:aO"),
          Map.entry("FAHD", "version:v1 client:t1 entry:l1 page:c1 count:cL block:aO"),
          Map.entry("FADB", "version:v1 client:t1 header:aO"),
          Map.entry(
              "EAHD",
              "version:v1 client:t1 element:l1 bits:c1 index:c1 block:c1 pointers:c1 page:c1"
                  + " supers:cL superBytes:lL blocks:cL blockBytes:lL max:cL elements:cL index:aO"),
          Map.entry("EAIB", "version:v1 client:t1 header:aO"),
          Map.entry("EASB", "version:v1 client:t1 header:aO offset:l4"),
          Map.entry("EADB", "version:v1 client:t1 header:aO offset:l4"),
          Map.entry(
              "SMTB",
              "version:v1 index:t1 types:f2 least:l4 list:c2 tree:c2 count:c2 at:aO heap:aO"),
          Map.entry("SMLI", "location:t1 hash:u4 references:c4"),
          Map.entry(
              "FSHD",
              "version:v1 client:t1 total:lL sections:cL bytes:lL rest:lL classes:c2 shrink:c2"
                  + " grow:c2 bits:c2 most:lL at:aO used:lL allocated:lL"),
          Map.entry("FSSE", "version:v1 header:aO"));

  private static final String EARLY =
      "version:v1 space:v1 root:v1 reserved:u1 shared:v1 address:l1 length:l1 reserved:u1 leaf:c2"
          + " internal:c2 flags:f4 base:aO free:aO end:aO driver:aO name:lO header:aO cache:t4"
          + " reserved:u4 tree:aO heap:aO";
  private static final String LATE =
      "version:v1 address:l1 length:l1 flags:f1 base:aO" + " extension:aO end:aO root:aO";

  /** Number of bytes after the last known field that count as part of a structure. */
  private static final int TAIL = 512;

  private final byte[] file;
  private final FieldWidths widths;
  private final List<Structure> found = new ArrayList<>();

  private StructureScan(byte[] file) {
    this.file = file;
    this.widths = FieldWidths.of(file);
  }

  static List<Structure> of(byte[] file) {
    StructureScan scan = new StructureScan(file);
    for (int at = 0; at + 12 <= file.length; at++) {
      scan.look(at);
    }
    return scan.found;
  }

  private void look(int at) {
    String signature = new String(file, at, 4, StandardCharsets.ISO_8859_1);
    HeaderScan headers = new HeaderScan(file, widths);
    if (signature.equals("\u0089HDF")) {
      add("superblock", at, 8, file[at + 8] < 2 ? EARLY : LATE, 0);
    } else if (signature.equals("OHDR")) {
      headers.versionTwo(at).ifPresent(found::add);
    } else if (signature.equals("OCHK")) {
      found.add(headers.continuation(at));
    } else if (FIELDS.containsKey(signature)) {
      add(signature, at, 4, FIELDS.get(signature), TAIL);
      if (signature.equals("GCOL")) {
        found.addAll(new MappingScan(file, widths).within(at));
      }
    } else if (at % 8 == 0 && file[at] == 1) {
      headers.versionOne(at).ifPresent(found::add);
    }
  }

  private void add(String kind, int at, int skipped, String description, int tail) {
    FieldReader reader = new FieldReader(file, widths, at + skipped, file.length);
    reader.read(description);
    int to = Math.min(file.length, reader.at() + tail);
    found.add(new Structure(kind, at, to, reader.at(), reader.fields()));
  }
}
