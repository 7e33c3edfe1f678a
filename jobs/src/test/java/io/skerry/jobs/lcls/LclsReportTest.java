package io.skerry.jobs.lcls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.jobs.lcls.LclsReport.Verification;
import org.junit.jupiter.api.Test;

class LclsReportTest {
  private static LclsReport report(Verification verification) {
    return new LclsReport(
        4, 64, 1024, 1024, 0, 0, 41_234, 128L << 20, 165_000, 12L << 20, 1.25, 0.5, verification);
  }

  @Test
  void the_json_report_has_exactly_the_documented_keys() {
    assertEquals(
        "{\"ranks\": 4, \"frames\": 64, \"rows\": 1024, \"columns\": 1024,"
            + " \"definedElements\": 41234, \"rawBytes\": 134217728, \"sparseBytes\": 165000,"
            + " \"fullBytes\": 12582912, \"writeSeconds\": 1.25, \"readSeconds\": 0.5,"
            + " \"verified\": true}",
        report(Verification.VERIFIED).toJson());
    assertTrue(report(Verification.DIFFERENT).toJson().endsWith("\"verified\": false}"));
  }

  @Test
  void the_table_ends_with_verified_only_if_verified() {
    String table = report(Verification.VERIFIED).toTable();
    assertEquals(
        """
        frames            64 of 1,024 x 1,024 on 4 ranks
        defined elements  41,234  (0.061 % of all, 644 a frame)
        raw                 128.00 MiB
        sparse                0.16 MiB  1/813.4, 4.00 bytes an element
        whole frames         12.00 MiB
        reduction               1/10.5
        written in              1.25 s  102 MiB/s of frames
        read back in            0.50 s  256 MiB/s of frames
        verified
        """,
        table.replace(System.lineSeparator(), "\n"));
    assertTrue(report(Verification.DIFFERENT).toTable().stripTrailing().endsWith("NOT VERIFIED"));
  }

  @Test
  void an_empty_output_causes_no_division_by_zero() {
    var nothing = new LclsReport(1, 1, 1, 1, 0, 0, 0, 2, 0, 0, 0, 0, Verification.VERIFIED);
    String table = nothing.toTable();
    assertFalse(table.contains("NaN") || table.contains("Infinity"), table);
  }

  @Test
  void the_exit_code_depends_on_the_verification() {
    assertEquals(0, report(Verification.VERIFIED).exitCode());
    assertEquals(1, report(Verification.DIFFERENT).exitCode());
  }
}
