package io.skerry.iod.shipper;

import io.skerry.iod.shipper.option.Placement;
import io.skerry.iod.shipper.option.ShipperOptions;

/** One compute rank and one I/O rank. */
class RemoteConformanceTwoRanksTest extends RemoteConformance {
  RemoteConformanceTwoRanksTest() {
    super(2, ShipperOptions.DEFAULT.with(1, Placement.Kind.LAST));
  }
}
