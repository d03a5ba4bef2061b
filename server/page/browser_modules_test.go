package page_test

import (
	"testing"

	"github.com/schedgen/schedgen/server/page/pagetest"
)

// module runs checks on a module of the page, in the page: an expression that may use
// m, the module, and expect(condition, ...words). It returns what did not hold.
func (s *session) module(name, checks string) []string {
	s.t.Helper()
	return eval[[]string](s, `(async () => {
		const m = await import(document.querySelector('script[type=module]').src.replace("js/main.js", "js/`+name+`"));
		const failed = [];
		const expect = (condition, ...words) => { if (!condition && failed.length < 10) failed.push(words.join(" ")); };
		`+checks+`
		return failed;
	})()`)
}

func TestBrowserModules(t *testing.T) {
	s := browse(t, pagetest.Options{}, setup{})
	s.drawn()
	for _, test := range []struct{ name, module, checks string }{
		{"places and slots are inverse", "picture/view.js", `
			for (const slots of [1, 3, 32, 200, 432, 8192, 431_999, 432_000, 1_000_000]) {
				for (const [width, height] of [[1150, 576], [290, 576], [97, 200], [40, 40], [3000, 1200]]) {
					const view = new m.View(slots, width, height);
					expect(view.isWhole() && view.start === 0 && view.end === slots, "whole", slots, width, view.end);
					for (let step = 0; step < 60; step++) {
						view.zoom(1.3, (step * 37) % width, (step * 53) % height);
						if (step % 7 === 0) view.pan((step * 91) % 400 - 200, (step * 13) % 300 - 150);
						expect(view.start >= 0 && view.end <= slots, "bounds", slots, width, view.start, view.end);
						for (const index of [view.start, view.end - 1, (view.start + view.end) / 2].map(Math.ceil)) {
							if (index >= view.end) continue;
							const place = view.placeOf(index);
							const there = place && view.indexAt(Math.min(width - 1e-6, Math.max(0, place.x + view.slotWidth / 2)), place.y + view.rowHeight / 2);
							expect(place && Math.abs(there - index) <= (place.x < 0 ? 1 : 0), "place", slots, width, index, JSON.stringify(place), there);
						}
					}
					for (let step = 0; step < 100; step++) view.zoom(1 / 1.3, width / 2, height / 2);
					expect(view.isWhole(), "out again", slots, width, view.perRow, view.mostPerRow);
				}
			}
		`},
		{"a slot stays under the pointer", "picture/view.js", `
			const view = new m.View(432_000, 1150, 576);
			view.set(200_000, 500);
			for (const [x, y] of [[10, 10], [575, 300], [1100, 560]]) {
				const index = view.indexAt(x, y);
				view.zoom(1.4, x, y);
				expect(view.indexAt(x, y) === index, "in at", x, y, index, view.indexAt(x, y));
				view.zoom(1 / 1.2, x, y);
				expect(view.indexAt(x, y) === index, "out at", x, y, index, view.indexAt(x, y));
			}
		`},
		{"colours are seen on every ground", "data/colour.js", `
			const luminance = (rgb) => {
				const [r, g, b] = rgb.map((c) => c / 255).map((c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
				return 0.2126 * r + 0.7152 * g + 0.0722 * b;
			};
			const contrast = (a, b) => {
				const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
				return (x + 0.05) / (y + 0.05);
			};
			const raised = { light: [255, 255, 255], dark: [0x1b, 0x1d, 0x21] };
			for (const mode of ["light", "dark"]) {
				for (let hue = 0; hue < 360; hue++) {
					const rgb = m.strongRGB(hue, mode);
					expect(contrast(rgb, m.groundOf(mode)) >= 3, mode, hue, "on the picture", contrast(rgb, m.groundOf(mode)).toFixed(2));
					expect(contrast(rgb, raised[mode]) >= 3, mode, hue, "on a card", contrast(rgb, raised[mode]).toFixed(2));
				}
			}
		`},
		{"hues of selected leaders are apart", "data/colour.js", `
			const letters = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
			for (let round = 0; round < 200; round++) {
				const keys = Array.from({ length: 6 }, (_, i) => letters[(round * 7 + i) % 58] + letters[(round + i * 13) % 58] + "x".repeat(40));
				const hues = m.distinctHues(keys);
				expect(hues[0] === m.hueOf(keys[0]), "the first keeps its own");
				for (let i = 0; i < hues.length; i++) for (let j = 0; j < i; j++) {
					const d = Math.abs(hues[i] - hues[j]);
					expect(Math.min(d, 360 - d) >= 25, hues[i], hues[j]);
				}
			}
		`},
		{"numbers in words", "base/format.js", `
			const is = (got, want) => expect(got === want, got, "want", want);
			is(m.sol("399123456000000001"), "399,123,456");
			is(m.sol("1"), "0.000000001");
			is(m.sol("0"), "0");
			is(m.sol("18446744073709551615"), "18,446,744,073");
			is(m.solExactly("18446744073709551615"), "18,446,744,073.709551615 SOL");
			is(m.countdown(0), "00:00:00");
			is(m.countdown(86_399_999), "23:59:59");
			is(m.countdown(90_061_000), "1 d 01:01:01");
			is(m.countdown(-5), "00:00:00");
			is(m.duration(1_600), "1.6 s");
			is(m.duration(61_000), "61 s");
			is(m.duration(150_000), "2 min 30 s");
			is(m.duration(3_599_000), "1 h");
			is(m.duration(7_500_000), "2 h 5 min");
			is(m.duration(172_800_000), "2 d");
			is(m.percent(0.0258), "2.58 %");
			is(m.percent(0.43), "43.0 %");
			is(m.sigma(-1.24), "−1.2 σ");
			is(m.plural(1, "slot"), "1 slot");
		`},
		{"times in two zones", "base/time.js", `
			const is = (got, want) => expect(got === want, got, "want", want);
			const summer = Date.UTC(2024, 6, 1, 22, 30, 5), winter = Date.UTC(2024, 0, 31, 23, 30, 5);
			is(m.dateTime(summer, true), "Mon 1 Jul 2024 22:30:05");
			is(m.dateTime(summer, false), "Tue 2 Jul 2024 00:30:05");
			is(m.zone(summer, false), "UTC+2");
			is(m.zone(winter, false), "UTC+1");
			is(m.zone(winter, true), "UTC");
			is(m.timeElement(winter, false).dateTime, "2024-01-31T23:30:05.000Z");
			expect(Number.isNaN(m.parseTime(null)), "no time is NaN");
		`},
		{"addresses come back", "base/address.js", `
			const key = "7y4BJgGnn5".repeat(4), other = "8".repeat(40);
			const state = { wanted: 899, selected: [key, other], shown: other, view: { start: 12, row: 400 }, quietTime: "30m" };
			expect(JSON.stringify(m.parseAddress(m.printAddress(state))) === JSON.stringify(state), m.printAddress(state));
			const plain = m.parseAddress("");
			expect(m.printAddress(plain) === "" && plain.wanted === "current", "nothing chosen");
			expect(m.parseAddress("#leaders=" + Array.from({ length: 20 }, (_, i) => "abcdefghij"[i % 10].repeat(33)).join()).selected.length === 8, "too many");
		`},
		{"the sentence of a schedule that is none", "worker/tables.js", `
			const value = { epoch: 1, start_slot: 0, end_slot: 7, staked_pubkeys: ["a", "b", "a"], staked_lamports: ["5", "3", "2"], leader_slots: [2, 1] };
			const tables = m.readSchedule({ value });
			m.countLeaders(tables, {});
			expect(tables.identities.join() === "a,b" && tables.stakes.join() === "7,3" && tables.totalStake === "10", JSON.stringify(tables));
			expect(tables.slotsOf.join() === "4,4", tables.slotsOf);
			for (const change of [{ leader_slots: [0, 3] }, { leader_slots: [0] }, { end_slot: -1 }, { staked_lamports: ["1"] }, { staked_pubkeys: null }, { leader_slots: [0, "x"] }]) {
				let said = "";
				try { m.readSchedule({ value: { ...value, ...change } }); } catch (error) { said = error.message; }
				expect(said !== "", JSON.stringify(change));
			}
			const short = m.readSchedule({ value: { ...value, end_slot: 5 } });
			m.countLeaders(short, {});
			expect(short.slotsOf.join() === "4,2", short.slotsOf);
		`},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, failed := range s.module(test.module, test.checks) {
				t.Error(failed)
			}
		})
	}
}
